import { type Clock, codeOf, type Log, resolveWithin } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { createOnceAMinute } from "./once-a-minute.ts";

export type WorkTimerOptions = {
  /** Begins some of what is due and calls `jobEnded` for each piece that is over; answers how many it began. */
  readonly begin: (jobEnded: () => void) => Promise<Begun>;
  /** Called at each turn, also while the ledger does not answer or all that may be under way hangs. */
  readonly eachTurn: () => void;
  /** Before the next go, when there is more to do: resolves once nobody more urgent is there. */
  readonly giveWay: () => Promise<void>;
  readonly clock: Clock;
  /** Tells how long the ledger takes: a connection hangs in real time, whatever `clock` a test moves by hand. */
  readonly stopwatch: Clock;
  readonly log: Log;
};

/** `finished` resolves when all of it has ended. */
export type Begun = { readonly claimed: number; readonly finished: Promise<unknown> };

export type WorkTimer = {
  start(): void;
  /** Work has just come in: do not wait for the next round. Does nothing before `start` and after `close`. */
  kick(): void;
  isRunning(): boolean;
  /** When it last looked for work, or found that no more may be under way; null before `start`. Milliseconds since 1970. */
  seenAt(): number | null;
  /** Resolves when the work under way is finished, or after ten seconds. */
  close(): Promise<void>;
};

/**
 * Does what is due about once a second, at once while there is more. It never waits for work it has begun: a shop that hangs
 * does not hold up the others.
 */
export function createWorkTimer({ begin, eachTurn, giveWay, clock, stopwatch, log }: WorkTimerOptions): WorkTimer {
  const closed = new AbortController();
  const fault = createOnceAMinute(clock);
  const underWay = new Set<Promise<unknown>>();
  let jobs = 0;
  let running: Promise<void> | null = null;
  let asking: Promise<number> | null = null;
  let pause = new AbortController();
  let kicked = false;
  let seenAt: number | null = null;

  async function loop(): Promise<void> {
    while (!closed.signal.aborted) {
      kicked = false;
      seenAt = clock.now();
      eachTurn();
      const claimed = jobs < hostLimits.jobsAtOnce ? await go() : 0;
      if (closed.signal.aborted || claimed === null) continue;
      const more = claimed > 0 || (kicked && jobs < hostLimits.jobsAtOnce);
      await (more ? giveWay() : rest());
    }
    await asking;
    await Promise.all(underWay);
  }

  // Null: the ledger is still being asked.
  async function go(): Promise<number | null> {
    asking ??= beginSome().finally(() => {
      asking = null;
    });
    return await resolveWithin(stopwatch, hostLimits.roundMs, asking, closed.signal);
  }

  async function beginSome(): Promise<number> {
    try {
      const { claimed, finished } = await begin(jobEnded);
      jobs += claimed;
      const watched = finished.catch(roundFailed).finally(() => underWay.delete(watched));
      underWay.add(watched);
      return claimed;
    } catch (error) {
      roundFailed(error);
      return 0;
    }
  }

  // What waited for a place can begin.
  function jobEnded(): void {
    jobs -= 1;
    kick();
  }

  function roundFailed(error: unknown): void {
    fault(() => log.error("timer.round_failed", { code: codeOf(error), next: "It is tried again every second." }));
  }

  function kick(): void {
    kicked = true;
    pause.abort();
  }

  async function rest(): Promise<void> {
    pause = new AbortController();
    await clock.sleep(hostLimits.roundMs, pause.signal).catch(() => undefined);
  }

  return {
    start() {
      if (!closed.signal.aborted) running ??= loop();
    },
    kick,
    isRunning: () => running !== null && !closed.signal.aborted,
    seenAt: () => seenAt,
    async close() {
      closed.abort();
      pause.abort();
      const finished = running?.then(() => true);
      if (finished && (await resolveWithin(clock, hostLimits.closeMs, finished)) === null) {
        log.warn("timer.closed_early", {
          why: "Work was still under way after ten seconds; another worker finishes it.",
        });
      }
    },
  };
}
