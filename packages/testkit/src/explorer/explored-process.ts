import type { Clock, Engine } from "@tillkit/core";
import type { KillableProcess } from "../killable-process.ts";
import type { SimulatedApp } from "../simulator/simulated-app.ts";
import type { SimulatedClock } from "../simulator/simulated-clock.ts";
import type { Digest } from "./digest.ts";

/** One server process, which can be killed, stopped or suspended. */
export type ExploredProcess = {
  /** The place that the process takes. After a crash, another process takes it. */
  readonly slot: number;
  readonly name: string;
  readonly handle: KillableProcess;
  readonly app: SimulatedApp;
  readonly engine: Engine;
  /** Until then the process neither sends nor receives anything, nor do its timers ring. */
  frozenUntil: number;
  /** For how long its monotonic clock stood still. */
  suspendedMs: number;
  /** Everything that the process was told: what it does next follows from that. */
  digest: Digest;
  isPolling: boolean;
  /** What the queue looked like when the process found nothing to do. */
  emptyPoll: string | null;
};

/** The part of a process that its ports need. */
export type ProcessTime = Pick<ExploredProcess, "frozenUntil" | "suspendedMs" | "handle">;

/** The clock of one process. Its timers ring late while the process is frozen, and count nothing while its machine sleeps. */
export function createProcessClock(clock: SimulatedClock, process: ProcessTime): Clock {
  const setTimer = (ms: number, ring: () => void) => {
    let isCancelled = false;
    let cancel = arm(ms, process.suspendedMs);
    return () => {
      isCancelled = true;
      cancel();
    };

    function arm(waitMs: number, seenMs: number): () => void {
      return clock.setTimer(waitMs, () => {
        if (isCancelled || !process.handle.isAlive()) return;
        const [stoodStillMs, frozenMs] = [process.suspendedMs - seenMs, process.frozenUntil - clock.now()];
        if (stoodStillMs > 0) cancel = arm(stoodStillMs, process.suspendedMs);
        else if (frozenMs > 0) cancel = arm(frozenMs, process.suspendedMs);
        else ring();
      });
    }
  };
  return {
    now: clock.now,
    setTimer,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = setTimer(ms, resolve);
        signal?.addEventListener("abort", () => {
          cancel();
          reject(signal.reason);
        });
      }),
  };
}
