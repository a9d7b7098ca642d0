import { type Clock, codeOf, type Log, limits, type PaymentLedger } from "@tillkit/core";
import { hostLimits } from "./limits.ts";
import { createOnceAMinute } from "./once-a-minute.ts";

/** Whether this machine's clock agrees with the ledger's: a process whose clock is off writes to stores too early. */
export type ClockWatch = {
  /** Asks the ledger at most once a minute. True where the ledger is on this machine, or cannot be asked now. */
  agrees(): Promise<boolean>;
};

export function createClockWatch(ledger: PaymentLedger, clock: Clock, log: Log): ClockWatch {
  const fault = createOnceAMinute(clock);
  let asked: { readonly at: number; readonly agrees: Promise<boolean> } | null = null;

  async function look(): Promise<boolean> {
    try {
      const before = clock.now();
      const theirs = (await ledger.currentTime?.()) ?? before;
      const offMs = Math.round(theirs - (before + clock.now()) / 2);
      const agrees = Math.abs(offMs) <= limits.clockSkewMs / 2;
      if (!agrees) {
        fault(() => log.error("timer.clock_differs", { offMs, next: "Set this machine's clock: it does no work." }));
      }
      return agrees;
    } catch (error) {
      log.warn("timer.clock_not_compared", { code: codeOf(error) });
      return true;
    }
  }

  return {
    agrees() {
      if (asked === null || clock.now() - asked.at >= hostLimits.clockWatchMs || clock.now() < asked.at) {
        asked = { at: clock.now(), agrees: look() };
      }
      return asked.agrees;
    },
  };
}
