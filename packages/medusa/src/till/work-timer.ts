import { type Clock, codeOf, type Log, resolveWithin } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";

export type WorkTimer = {
  start(): void;
  /** Work has just come in: do not wait for the next round. */
  kick(): void;
  /** Resolves when the rounds under way are over, or after ten seconds. */
  close(): Promise<void>;
};

/**
 * Does what is due about once a second, at once while there is more. A round that hangs is left to itself and the next one
 * begins beside it. `work` answers how many pieces it touched.
 */
export function createWorkTimer(work: () => Promise<number>, clock: Clock, log: Log): WorkTimer {
  const underWay = new Set<Promise<number>>();
  let isClosed = false;
  let isRunning = false;
  let isKicked = false;
  let wake = new AbortController();

  async function loop(): Promise<void> {
    while (!isClosed) {
      isKicked = false;
      const touched = await resolveWithin(clock, pluginLimits.overtakeMs, beginRound());
      while (underWay.size >= pluginLimits.roundsAtOnce && !isClosed) await Promise.race(underWay);
      if (touched === 0 && !isKicked && !isClosed) await rest();
    }
  }

  function beginRound(): Promise<number> {
    const round = work()
      .catch((error: unknown) => {
        log.error("timer.round_failed", { code: codeOf(error) });
        return 0;
      })
      .finally(() => underWay.delete(round));
    underWay.add(round);
    return round;
  }

  async function rest(): Promise<void> {
    wake = new AbortController();
    await clock.sleep(pluginLimits.roundMs, wake.signal).catch(() => undefined);
  }

  return {
    start() {
      if (isRunning || isClosed) return;
      isRunning = true;
      void loop();
    },
    kick() {
      isKicked = true;
      wake.abort("kicked");
    },
    async close() {
      isClosed = true;
      wake.abort("closed");
      await resolveWithin(clock, pluginLimits.closeMs, Promise.all(underWay));
    },
  };
}
