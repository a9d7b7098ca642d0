import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FreezePoint, ProcessMessage } from "../messages.ts";
import type { MovableClock } from "../movable-clock.ts";

/** Stops this process at its freeze point, like a process of a machine that is suspended or short of memory. */
export type Freezer = {
  /** Returns what stops this process, or null where it does not stop. The parent knows of it before. */
  prepare(step: string, moment: FreezePoint["moment"]): Promise<(() => Promise<void>) | null>;
};

/** The file with the time at which the process continues, which the parent writes before it continues it. */
export const CONTINUED_AT = "continued-at";

export function createFreezer(point: FreezePoint, clock: MovableClock): Freezer {
  const monotonic = movableMonotonicClock();
  const wakeFile = join(point.folder, CONTINUED_AT);
  let hasArrived = false;

  async function freeze(): Promise<void> {
    for (let turn = 0; turn < point.turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const stoppedAt = performance.now();
    process.kill(process.pid, "SIGSTOP");
    // The signal may arrive a moment after the call.
    while (!existsSync(wakeFile)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    const sleptMs = Number(readFileSync(wakeFile, "utf8")) - clock.offsetMs();
    monotonic.move(point.suspended ? stoppedAt - performance.now() : sleptMs);
    clock.jump(Math.max(0, sleptMs));
  }

  return {
    async prepare(step, moment) {
      if (hasArrived || step !== point.step || moment !== point.moment) return null;
      hasArrived = true;
      if (!isFirst(join(point.folder, "frozen"))) return null;
      await tellParent({ kind: "freezing" });
      return freeze;
    },
  };
}

// The clock of the engine is virtual, and the client measures monotonic time with `performance.now()`.
function movableMonotonicClock(): { move(ms: number): void } {
  const real = performance.now.bind(performance);
  let offset = 0;
  performance.now = () => real() + offset;
  return {
    move(ms) {
      offset += ms;
    },
  };
}

function isFirst(mark: string): boolean {
  try {
    closeSync(openSync(mark, "wx"));
    return true;
  } catch {
    return false;
  }
}

function tellParent(message: ProcessMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}
