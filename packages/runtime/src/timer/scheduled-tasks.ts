import { type Clock, codeOf, type Log } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import { runtimeLimits } from "../limits.ts";
import { createThrottledLog } from "../logs/throttled-log.ts";

/** A task that runs again and again beside the jobs of payments. Times in milliseconds. */
export type ScheduledTask = {
  readonly name: string;
  readonly firstDelayMs: number;
  readonly intervalMs: number;
  run(): Promise<void>;
};

export type TaskScheduler = {
  /** Starts the tasks that are due. The work timer calls this function in each of its rounds, about once a second. */
  startDue(): void;
  /** Resolves when the tasks under way have ended, or after ten seconds. */
  close(): Promise<void>;
};

/** A task never runs twice at once. A task that fails runs again after its interval. */
export function createTaskScheduler(tasks: readonly ScheduledTask[], clock: Clock, log: Log): TaskScheduler {
  const schedules = tasks.map((task) => createSchedule(task, clock, log));
  let isClosed = false;

  return {
    startDue() {
      if (!isClosed) for (const { startIfDue } of schedules) startIfDue();
    },
    async close() {
      isClosed = true;
      const underWay = Promise.all(schedules.map(({ running }) => running()));
      await resolveWithin(clock, runtimeLimits.closeTimeoutMs, underWay);
    },
  };
}

function createSchedule({ name, firstDelayMs, intervalMs, run }: ScheduledTask, clock: Clock, log: Log) {
  const logThrottled = createThrottledLog(clock);
  let dueAt: number | null = null;
  let running: Promise<void> | null = null;

  async function start(): Promise<void> {
    await run().catch((error: unknown) =>
      logThrottled(() => log.error("scheduled_task.failed", { task: name, code: codeOf(error) })),
    );
    running = null;
  }

  return {
    startIfDue(): void {
      const now = clock.now();
      dueAt ??= now + firstDelayMs;
      // The clock may have been set back since the task was scheduled.
      dueAt = Math.min(dueAt, now + Math.max(firstDelayMs, intervalMs));
      if (running || now < dueAt) return;
      dueAt = now + intervalMs;
      running = start();
    },
    running: () => running,
  };
}
