import { existsSync } from "node:fs";
import type { Explanation, Language } from "@tillkit/core";
import type { Command } from "../command.ts";
import { UsageError } from "../usage-error.ts";

export const explain: Command = {
  name: "explain",
  summary: "Tell the story of a payment, or of an order and all its payments, in plain sentences",
  words: ["payment or order"],
  options: {
    database: { value: "url", says: "where payments are kept: sqlite:/path/to/ledger.db" },
    store: { value: "store id", says: "the id is an order's, of this store; without it, a payment's" },
    language: { value: "en|fr", says: "English (the default) or French" },
  },
  example: "tillkit explain 1042 --store shop --database sqlite:.tillkit/ledger.db",
  async run({ words: [id = ""], values }, terminal) {
    const language = readLanguage(values.get("language") ?? "en");
    const url = readDatabase(values.get("database"));
    const storeId = values.get("store");
    const { explainPayment } = await import("@tillkit/core");
    const { openLedger } = await import("@tillkit/ledger");
    const ledger = await openLedger(url);
    try {
      const about = storeId === undefined ? { paymentId: id } : { ref: { storeId, orderId: id } };
      terminal.log(textOf(await explainPayment({ ledger }, about, language)));
    } finally {
      await ledger.close();
    }
  },
};

function textOf({ headline, lines }: Explanation): string {
  const width = Math.max(0, ...lines.map((line) => line.who.length));
  const story = lines.map(({ at, who, text }) => `${timeOf(at)}  ${who.padEnd(width)}  ${text}`);
  return story.length === 0 ? headline : [headline, "", ...story].join("\n");
}

/** Universal time, to the second, so that lines of several machines can be laid side by side. */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function readLanguage(text: string): Language {
  if (text === "en" || text === "fr") return text;
  throw new UsageError(`The language is en or fr, not "${text}".`);
}

/** Opening would make a new, empty ledger where a path is mistyped. */
function readDatabase(url: string | undefined): string {
  if (url === undefined) throw new UsageError("Say where payments are kept: --database sqlite:/path/to/ledger.db.");
  const file = /^sqlite:([^:].*)$/.exec(url)?.[1];
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no ledger at ${file}: check the path.`);
  return url;
}
