import type { Command } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import { parseDays } from "../command-line/parse-days.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";

const DAY_MS = 86_400_000;
/** The server keeps looking for late payments for three days; seven days leaves a margin. */
const MIN_DAYS = 7;

export const prune: Command = {
  name: "prune",
  summary: "Remove personal data of old, final payments: bodies of webhooks and requests, addresses of pages",
  positionals: [],
  options: {
    ...ledgerOptions,
    "older-than": { value: "days", description: `remove data of this age in days, such as 90d, at least ${MIN_DAYS}d` },
    json: { description: "print the counts as one line of JSON" },
  },
  example: "tillkit prune --older-than 90d --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const days = parseDays(args, "older-than", MIN_DAYS);
    await withLedger(args, async (ledger) => {
      const { pruneAll } = (await import("../ledger-data.ts")).ledgerData;
      const counts = await pruneAll(ledger, Date.now() - days * DAY_MS, async () => undefined);
      const [payments, webhooks] = [formatCount(counts.payments, "payment"), formatCount(counts.deliveries, "webhook")];
      const sentence = `Pruned ${payments} and ${webhooks} older than ${days} days.`;
      terminal.log(args.flags.has("json") ? JSON.stringify(counts) : sentence);
    });
  },
};
