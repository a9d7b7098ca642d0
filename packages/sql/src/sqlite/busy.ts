import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database/database-error.ts";

/** How long a statement waits for another process, in all. */
const BUSY_LIMIT_MS = 5_000;
/** The waits between two attempts: most transactions of other processes end within milliseconds. */
const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 20;
/** SQLite's result code for a locked database. Its low byte is the same in every extended code, such as "busy recovery". */
const SQLITE_BUSY = 5;

/**
 * Repeats `attempt` while another process has locked the database. SQLite's own wait (`busy_timeout`) would block the thread, and so
 * every request of this process, while the other process is frozen.
 * @throws DatabaseError `database_busy`
 */
export async function retryWhileBusy<Result>(attempt: () => Result): Promise<Result> {
  const deadline = busyDeadline();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (isOver(deadline)) throw busyError(error);
    }
    await waitForAttempt(attempts);
  }
}

/** When a caller that begins to wait now gives up, on the monotonic clock of this process. */
export function busyDeadline(): number {
  return performance.now() + BUSY_LIMIT_MS;
}

export function isOver(deadline: number): boolean {
  return performance.now() >= deadline;
}

/** Waits before the next attempt. `attempts` counts the attempts so far. */
export async function waitForAttempt(attempts: number): Promise<void> {
  await sleep(Math.min(FIRST_WAIT_MS * attempts, LONGEST_WAIT_MS));
}

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}

export function busyError(cause: unknown): DatabaseError {
  return new DatabaseError(
    "database_busy",
    `Another process has locked the database for more than ${BUSY_LIMIT_MS / 1000} seconds: try again, or stop that process.`,
    { cause },
  );
}
