import type { Command } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import { parseDays } from "../command-line/parse-days.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";

const DAY_MS = 86_400_000;
/**
 * Nobody needs the stored webhooks of a payment any longer after this time. The service repeats a webhook by itself for only a minute.
 * A person may have it sent again while they ask what happened to a payment, which takes days rather than weeks.
 */
const MIN_DAYS = 30;

export const archive: Command = {
  name: "archive",
  summary: "Move webhooks and timelines of old, final payments from the ledger to a file that you keep",
  positionals: [],
  options: {
    ...ledgerOptions,
    "older-than": {
      value: "days",
      description: `archive payments to which nothing has happened for so many days, such as 400d, at least ${MIN_DAYS}d`,
    },
    to: { value: "folder", description: "where to write the file: one JSON document a line for each payment, gzip" },
    json: { description: "print the counts and the path of the file as one line of JSON" },
  },
  example: "tillkit archive --older-than 400d --to /var/backups/tillkit --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const days = parseDays(args, "older-than", MIN_DAYS);
    const folder = args.values.get("to");
    if (folder === undefined) throw new UsageError("The option --to <folder> is required.");
    await withLedger(args, async (ledger) => {
      const { archiveHistory } = (await import("../ledger-data.ts")).ledgerData;
      const at = Date.now();
      const archived = await archiveHistory(ledger, { before: at - days * DAY_MS, at, folder });
      terminal.log(args.flags.has("json") ? JSON.stringify(archived) : summaryOf(archived, days));
    });
  },
};

type Counts = Awaited<ReturnType<typeof import("@tillkit/server")["archiveHistory"]>>;

function summaryOf({ payments, deliveries, timelineEntries, file }: Counts, days: number): string {
  if (file === null) return `There was nothing to archive that is older than ${days} days.`;
  const rows = `${formatCount(deliveries, "webhook")} and ${formatCount(timelineEntries, "timeline row")}`;
  return `Archived ${rows} of ${formatCount(payments, "payment")} older than ${days} days in ${file}.`;
}
