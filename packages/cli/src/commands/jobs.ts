import type { StoredJob } from "@tillkit/core/ledger";
import type { Command } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import { formatTime } from "../command-line/format-time.ts";
import { printJson } from "../command-line/print-rows.ts";
import { ledgerOptions, readLedger } from "../options/ledger-option.ts";
import { isoTime } from "../options/row-options.ts";
import { listAllJobs } from "./list-all-jobs.ts";

const MAX_JOBS = 100;

export const jobs: Command = {
  name: "jobs",
  summary: "List all jobs, or only the dead-letter jobs, which need a person",
  positionals: [],
  options: {
    ...ledgerOptions,
    "dead-letter": {
      description: "only list dead-letter jobs; retry them with tillkit replay once the cause is removed",
    },
    store: { value: "store id", description: "only list jobs of this store" },
    json: { description: "print all jobs, one line of JSON each" },
  },
  example: "tillkit jobs --dead-letter --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const { values, flags } = args;
    const storeId = values.get("store");
    const query: { dead?: boolean; storeId?: string } = {
      ...(flags.has("dead-letter") ? { dead: true } : {}),
      ...(storeId === undefined ? {} : { storeId }),
    };
    const isJson = flags.has("json");
    await readLedger(args, async (ledger) => {
      const { formatJobError } = await import("@tillkit/core/ledger");
      let shown = 0;
      for await (const job of listAllJobs(ledger, query)) {
        shown += 1;
        if (shown > MAX_JOBS && !isJson)
          return terminal.log(`Showing the newest ${MAX_JOBS} jobs. Use --json to list all.`);
        const reason = job.error && formatJobError(job.error);
        if (isJson) printJson(terminal, rowOf(job));
        else terminal.log(formatJob(job, reason));
      }
      if (shown === 0 && !isJson) terminal.log(query.dead ? "There are no dead-letter jobs." : "There are no jobs.");
    });
  },
};

function formatJob({ id, kind, paymentId, attempts, readyAt }: StoredJob, reason: string | null): string {
  const status = readyAt === null ? "dead letter" : `next attempt ${formatTime(readyAt)}`;
  const payment = paymentId === null ? "" : `  payment ${paymentId}`;
  return [
    `${id}  ${kind}${payment}  ${status}, ${formatCount(attempts, "attempt")}`,
    ...(reason === null ? [] : [`  ${reason}`]),
  ].join("\n");
}

// The output omits the payload, because a platform can store personal data in it.
function rowOf({ id, kind, storeId, paymentId, dueAt, readyAt, attempts, error }: StoredJob) {
  return { id, kind, storeId, paymentId, dueAt: isoTime(dueAt), readyAt: isoTime(readyAt), attempts, error };
}
