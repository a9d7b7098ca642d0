import type { Explanation, Language } from "@tillkit/core";
import type { Command } from "../command-line/command.ts";
import { formatTime } from "../command-line/format-time.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";

export const explain: Command = {
  name: "explain",
  summary: "Show the timeline of a payment, or of an order and all its payments, in plain sentences",
  positionals: ["payment or order"],
  options: {
    ...ledgerOptions,
    store: {
      value: "store id",
      description: "the argument is an order of this store; without the option, it is a payment ID",
    },
    language: { value: "en|fr", description: "English (the default) or French" },
  },
  example: "tillkit explain 1042 --store shop --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const { positionals, values } = args;
    const [id = ""] = positionals;
    const language = parseLanguage(values.get("language") ?? "en");
    const storeId = values.get("store");
    const target = storeId === undefined ? { paymentId: id } : { ref: { storeId, orderId: id } };
    await withLedger(args, async (ledger) => {
      const { explainPayment } = await import("@tillkit/core");
      terminal.log(formatTimeline(await explainPayment({ ledger }, target, language)));
    });
  },
};

function formatTimeline({ headline, entries }: Explanation): string {
  const width = Math.max(0, ...entries.map(({ actor }) => actor.length));
  const lines = entries.map(({ at, actor, text }) => `${formatTime(at)}  ${actor.padEnd(width)}  ${text}`);
  return lines.length === 0 ? headline : [headline, "", ...lines].join("\n");
}

function parseLanguage(text: string): Language {
  if (text === "en" || text === "fr") return text;
  throw new UsageError(`The language must be en or fr, not "${text}".`);
}
