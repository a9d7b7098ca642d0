import type { Command } from "../command.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { UsageError } from "../usage-error.ts";

const DAY_MS = 86_400_000;
/** Late money is looked for during three days: nothing younger is touched. */
const LEAST_DAYS = 7;

export const prune: Command = {
  name: "prune",
  summary: "Take personal data out of what is old and final: bodies of webhooks and requests, addresses of pages",
  words: [],
  options: {
    ...ledgerOptions,
    "older-than": { value: "days", says: `age in days, such as 90d; ${LEAST_DAYS}d at least` },
    json: { says: "say the counts as one line of JSON" },
  },
  example: "tillkit prune --older-than 90d --ledger sqlite:.tillkit/ledger.db",
  async run(line, terminal) {
    const days = readDays(line.values.get("older-than"));
    await withLedger(line, async (ledger) => {
      const { pruneAll } = await import("@tillkit/server");
      const counts = await pruneAll(ledger, Date.now() - days * DAY_MS, async () => undefined);
      const sentence = `Older than ${days} days and pruned: payments ${counts.payments}, webhooks ${counts.deliveries}.`;
      terminal.log(line.switches.has("json") ? JSON.stringify(counts) : sentence);
    });
  },
};

function readDays(text: string | undefined): number {
  const days = Number(/^(\d{1,5})d$/.exec(text ?? "")?.[1]);
  if (days >= LEAST_DAYS) return days;
  throw new UsageError(`Say how old: --older-than 90d, ${LEAST_DAYS}d at least.`);
}
