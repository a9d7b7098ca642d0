import { type Clock, codeOf, type Log } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { createOnceAMinute } from "./once-a-minute.ts";
import { within } from "./patience.ts";

export type WorkTimerOptions = {
  /** One round of what is due; answers how many pieces of work it touched. */
  readonly work: () => Promise<number>;
  /** Between two rounds, when there is more to do: resolves once nobody more urgent is there. */
  readonly giveWay: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};

export type WorkTimer = {
  start(): void;
  /** Work has just come in: do not wait for the next round. Does nothing before `start` and after `close`. */
  kick(): void;
  isRunning(): boolean;
  /** Resolves when the round under way is over, or after ten seconds. */
  close(): Promise<void>;
};

/** Does what is due about once a second, at once while there is more, one round at a time. */
export function createWorkTimer({ work, giveWay, clock, log }: WorkTimerOptions): WorkTimer {
  const closed = new AbortController();
  const fault = createOnceAMinute(clock);
  let running: Promise<void> | null = null;
  let pause = new AbortController();
  let kicked = false;

  async function loop(): Promise<void> {
    while (!closed.signal.aborted) {
      kicked = false;
      const touched = await round();
      if (closed.signal.aborted) return;
      await (touched > 0 || kicked ? giveWay() : rest());
    }
  }

  async function round(): Promise<number> {
    try {
      return await work();
    } catch (error) {
      fault(() => log.error("timer.round_failed", { code: codeOf(error), next: "It is tried again every second." }));
      return 0;
    }
  }

  async function rest(): Promise<void> {
    pause = new AbortController();
    await clock.sleep(hostLimits.roundMs, pause.signal).catch(() => undefined);
  }

  return {
    start() {
      if (!closed.signal.aborted) running ??= loop();
    },
    kick() {
      kicked = true;
      pause.abort();
    },
    isRunning: () => running !== null && !closed.signal.aborted,
    async close() {
      closed.abort();
      pause.abort();
      if (
        running &&
        (await within(
          clock,
          hostLimits.closeMs,
          running.then(() => true),
        )) === null
      ) {
        log.warn("timer.closed_early", {
          why: "Work was still under way after ten seconds; another worker finishes it.",
        });
      }
    },
  };
}
