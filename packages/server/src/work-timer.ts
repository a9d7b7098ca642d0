import { type Clock, codeOf, type Log } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { createOnceAMinute } from "./once-a-minute.ts";
import { within } from "./patience.ts";

export type WorkTimerOptions = {
  /** One round of what is due; answers how many pieces of work it touched. */
  readonly work: () => Promise<number>;
  /** Called at each turn, also while every round is taken by somebody who hangs. */
  readonly eachTurn: () => void;
  /** Between two rounds, when there is more to do: resolves once nobody more urgent is there. */
  readonly giveWay: () => Promise<void>;
  readonly clock: Clock;
  /** Tells how long a round takes: a connection hangs in real time, whatever `clock` a test moves by hand. */
  readonly stopwatch: Clock;
  readonly log: Log;
};

export type WorkTimer = {
  start(): void;
  /** Work has just come in: do not wait for the next round. Does nothing before `start` and after `close`. */
  kick(): void;
  isRunning(): boolean;
  /** When it last began a round or found all of them taken; null before `start`. Milliseconds since 1970. */
  seenAt(): number | null;
  /** Resolves when the rounds under way are over, or after ten seconds. */
  close(): Promise<void>;
};

/**
 * Does what is due about once a second, at once while there is more. A round that takes long, because a store hangs, is
 * left to itself and the next one begins beside it: one shop that is down does not hold up the others.
 */
export function createWorkTimer({ work, eachTurn, giveWay, clock, stopwatch, log }: WorkTimerOptions): WorkTimer {
  const closed = new AbortController();
  const fault = createOnceAMinute(clock);
  const underWay = new Set<Promise<number>>();
  let running: Promise<void> | null = null;
  let pause = new AbortController();
  let kicked = false;
  let seenAt: number | null = null;

  async function loop(): Promise<void> {
    while (!closed.signal.aborted) {
      kicked = false;
      takeTurn();
      const touched = await within(stopwatch, hostLimits.overtakeMs, beginRound(), closed.signal);
      if (underWay.size >= hostLimits.roundsAtOnce) await oneEnds();
      else if (touched !== null && !closed.signal.aborted) await (touched > 0 || kicked ? giveWay() : rest());
    }
    await Promise.all(underWay);
  }

  function takeTurn(): void {
    seenAt = clock.now();
    eachTurn();
  }

  function beginRound(): Promise<number> {
    const round = work()
      .catch((error: unknown) => {
        fault(() => log.error("timer.round_failed", { code: codeOf(error), next: "It is tried again every second." }));
        return 0;
      })
      .finally(() => underWay.delete(round));
    underWay.add(round);
    return round;
  }

  // Whoever asks after the timer meanwhile hears that it is alive, and sees the lag.
  async function oneEnds(): Promise<void> {
    while (underWay.size >= hostLimits.roundsAtOnce && !closed.signal.aborted) {
      takeTurn();
      await within(stopwatch, hostLimits.roundMs, Promise.race(underWay), closed.signal);
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
    seenAt: () => seenAt,
    async close() {
      closed.abort();
      pause.abort();
      const over = running?.then(() => true);
      if (over && (await within(clock, hostLimits.closeMs, over)) === null) {
        log.warn("timer.closed_early", {
          why: "Work was still under way after ten seconds; another worker finishes it.",
        });
      }
    },
  };
}
