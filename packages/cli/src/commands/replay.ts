import type { Command } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import { printJson } from "../command-line/print-rows.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";
import { listAllJobs } from "./list-all-jobs.ts";

export const replay: Command = {
  name: "replay",
  summary: "Retry dead-letter jobs once their cause is removed, with their attempts counted from zero",
  positionals: ["job"],
  positionalsOptional: true,
  options: {
    ...ledgerOptions,
    all: { description: "retry all dead-letter jobs" },
    json: { description: "print one line of JSON for each job" },
  },
  example: "tillkit replay --all --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const [id] = args.positionals;
    const all = args.flags.has("all");
    const isJson = args.flags.has("json");
    const hasId = id !== undefined;
    if (hasId === all) throw new UsageError("Name one job, or use --all: tillkit replay <job>.");
    await withLedger(args, async (ledger) => {
      const { retryDeadJob, systemClock } = await import("@tillkit/core");
      // The list is read to its end first, because a retried job leaves the list.
      const deadJobIds: string[] = [];
      for await (const job of listAllJobs(ledger, { dead: true })) deadJobIds.push(job.id);
      const chosenIds = all ? deadJobIds : deadJobIds.filter((jobId) => jobId === id);
      if (!all && chosenIds.length === 0)
        throw new Error(`There is no dead-letter job with the ID ${id}: see tillkit jobs --dead-letter.`);
      for (const jobId of chosenIds) {
        await retryDeadJob({ ledger, clock: systemClock }, jobId);
        if (isJson) printJson(terminal, { id: jobId, retried: true });
      }
      if (!isJson)
        terminal.log(`Retried ${formatCount(chosenIds.length, "job")}. A running server executes retried jobs.`);
    });
  },
};
