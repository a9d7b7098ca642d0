import { type Engine, startDue } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";
import type { Correlation } from "../logs/correlation.ts";
import type { ClockCheck } from "./clock-check.ts";
import type { WorkTimerOptions } from "./work-timer.ts";

export type RoundOptions = {
  readonly engine: Engine;
  /** Log lines of one round carry its id, which is unique over all processes. */
  readonly correlation: Correlation;
  /** No job starts while the clock of this machine is wrong. */
  readonly clockCheck: ClockCheck;
};

/** Starts the engine's due jobs, for `createWorkTimer`. */
export function createRoundStart({ engine, correlation, clockCheck }: RoundOptions): WorkTimerOptions["startJobs"] {
  let rounds = 0;
  return async function startRound(jobEnded) {
    if (!(await clockCheck.isInSync())) return { claimed: 0, finished: Promise.resolve() };
    rounds += 1;
    const shortWorkerId = engine.worker.slice(0, 8);
    const round = `${shortWorkerId}-${rounds}`;
    return await correlation.run({ round }, () => startDue(engine, { limit: runtimeLimits.jobsPerRound, jobEnded }));
  };
}
