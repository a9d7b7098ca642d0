import type { Task } from "./plan.ts";
import type { Progress } from "./progress.ts";
import type { SavedRun } from "./saved-run.ts";
import { createSliceRunner } from "./slice-runner.ts";
import type { Outcome } from "./tier.ts";

/** The maximum number of stored violations per slice, so that a broken tier does not fill the disk. */
const MAX_SAVED_VIOLATIONS = 20;
const SAVE_EVERY_MS = 1_000;

export type Work = {
  readonly processes: number;
  readonly progress: Progress;
  save(): void;
};

/** Runs the tasks and saves their results. Returns false if it was interrupted; finished slices are saved. */
export async function runTasks(
  tasks: readonly Task[],
  saved: SavedRun,
  { processes, progress, save }: Work,
): Promise<boolean> {
  const runner = createSliceRunner(tasks.length === 1 && tasks.every(isOneCase));
  const interruption = listenForInterruption();
  let savedAt = 0;

  function saveOutcome({ tier, slice }: Task, outcome: Outcome, startedAt: number): void {
    const stored = { ...outcome, violations: outcome.violations.slice(0, MAX_SAVED_VIOLATIONS) };
    const more = outcome.violations.length - stored.violations.length;
    saved.slices.push({
      tier: tier.id,
      from: slice.from,
      to: slice.to,
      startedAt,
      endedAt: Date.now(),
      more,
      outcome: stored,
    });
    if (Date.now() < savedAt + SAVE_EVERY_MS) return;
    save();
    savedAt = Date.now();
  }

  async function run(task: Task): Promise<void> {
    const startedAt = Date.now();
    progress.taskStarted(task);
    const outcome = await runner.run(task);
    // Ignore the result of an interrupted slice.
    if (interruption.isInterrupted()) return;
    saveOutcome(task, outcome, startedAt);
    progress.taskEnded(task, { cases: outcome.cases, violations: outcome.violations.length });
  }

  const parallel = tasks.filter(({ tier }) => !tier.exclusive);
  const exclusive = tasks.filter(({ tier }) => tier.exclusive);
  async function runAll(): Promise<void> {
    await runConcurrently(parallel, processes, run);
    // The memory of other processes would disturb the measurements.
    runner.close();
    await runConcurrently(exclusive, 1, run);
  }
  await Promise.race([runAll(), interruption.interrupted]);
  runner.close();
  interruption.stopListening();
  save();
  return !interruption.isInterrupted();

  async function runConcurrently(
    group: readonly Task[],
    count: number,
    work: (task: Task) => Promise<void>,
  ): Promise<void> {
    const waiting = [...group];
    const worker = async () => {
      for (let task = waiting.shift(); task && !interruption.isInterrupted(); task = waiting.shift()) await work(task);
    };
    await Promise.all(Array.from({ length: Math.min(count, group.length) }, worker));
  }
}

function listenForInterruption() {
  let isInterrupted = false;
  let interrupt = () => {};
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const listener = () => {
    isInterrupted = true;
    interrupt();
  };
  process.on("SIGINT", listener).on("SIGTERM", listener);
  return {
    interrupted,
    isInterrupted: () => isInterrupted,
    stopListening: () => process.off("SIGINT", listener).off("SIGTERM", listener),
  };
}

function isOneCase({ slice }: Task): boolean {
  return slice.to === slice.from + 1;
}
