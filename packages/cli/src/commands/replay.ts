import type { Command } from "../command.ts";
import { everyJob } from "../every-job.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { UsageError } from "../usage-error.ts";

export const replay: Command = {
  name: "replay",
  summary: "Give work that was given up another go, as if it were new",
  words: ["job"],
  wordsMayLack: true,
  options: { ...ledgerOptions, all: { says: "everything that was given up" } },
  example: "tillkit replay --all --ledger sqlite:.tillkit/ledger.db",
  async run(line, terminal) {
    const [id] = line.words;
    const all = line.switches.has("all");
    if ((id === undefined) !== all) throw new UsageError("Say which job, or --all: tillkit replay <job>.");
    await withLedger(line, async (ledger) => {
      const { retryDeadJob, systemClock } = await import("@tillkit/core");
      // All of them first: work that is replayed leaves the list.
      const parked: string[] = [];
      for await (const job of everyJob(ledger, { dead: true })) parked.push(job.id);
      const wanted = all ? parked : parked.filter((one) => one === id);
      if (!all && wanted.length === 0) throw new Error(`No parked work has the id ${id}: see tillkit jobs --dead.`);
      for (const jobId of wanted) await retryDeadJob({ ledger, clock: systemClock }, jobId);
      terminal.log(`Replayed: ${wanted.length}. A running server does it now.`);
    });
  },
};
