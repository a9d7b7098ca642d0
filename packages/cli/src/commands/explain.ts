import type { Explanation, Language } from "@tillkit/core";
import type { Command } from "../command.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { timeText } from "../time-text.ts";
import { UsageError } from "../usage-error.ts";

export const explain: Command = {
  name: "explain",
  summary: "Tell the story of a payment, or of an order and all its payments, in plain sentences",
  words: ["payment or order"],
  options: {
    ...ledgerOptions,
    store: { value: "store id", says: "the id is an order's, of this store; without it, a payment's" },
    language: { value: "en|fr", says: "English (the default) or French" },
  },
  example: "tillkit explain 1042 --store shop --ledger sqlite:.tillkit/ledger.db",
  async run(line, terminal) {
    const { words, values } = line;
    const [id = ""] = words;
    const language = readLanguage(values.get("language") ?? "en");
    const storeId = values.get("store");
    const about = storeId === undefined ? { paymentId: id } : { ref: { storeId, orderId: id } };
    await withLedger(line, async (ledger) => {
      const { explainPayment } = await import("@tillkit/core");
      terminal.log(textOf(await explainPayment({ ledger }, about, language)));
    });
  },
};

function textOf({ headline, entries }: Explanation): string {
  const width = Math.max(0, ...entries.map((line) => line.actor.length));
  const story = entries.map(({ at, actor, text }) => `${timeText(at)}  ${actor.padEnd(width)}  ${text}`);
  return story.length === 0 ? headline : [headline, "", ...story].join("\n");
}

function readLanguage(text: string): Language {
  if (text === "en" || text === "fr") return text;
  throw new UsageError(`The language is en or fr, not "${text}".`);
}
