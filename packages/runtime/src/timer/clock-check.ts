import { type Clock, codeOf, type Log, limits, type PaymentLedger } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";
import { createThrottledLog } from "../logs/throttled-log.ts";

/** Compares this machine's clock with the ledger's: a process whose clock is wrong would write to stores too early. */
export type ClockCheck = {
  /** Asks the ledger at most once a minute. True when the ledger has no clock of its own or cannot be asked now. */
  isInSync(): Promise<boolean>;
};

export function createClockCheck(ledger: PaymentLedger, clock: Clock, log: Log): ClockCheck {
  const logThrottled = createThrottledLog(clock);
  let last: { readonly at: number; readonly isInSync: Promise<boolean> } | null = null;

  async function compare(): Promise<boolean> {
    try {
      const askedAt = clock.now();
      const ledgerTime = (await ledger.currentTime?.()) ?? askedAt;
      // The ledger read its clock about halfway through the call.
      const ownTime = (askedAt + clock.now()) / 2;
      const offMs = Math.round(ledgerTime - ownTime);
      // The limit is for two machines, of which one may be fast and the other slow.
      const isInSync = Math.abs(offMs) <= limits.clockSkewMs / 2;
      if (!isInSync) {
        const next = "Set this machine's clock. This process does no work until its clock is right.";
        logThrottled(() => log.error("timer.clock_differs", { offMs, next }));
      }
      return isInSync;
    } catch (error) {
      log.warn("timer.clock_not_compared", { code: codeOf(error) });
      return true;
    }
  }

  return {
    isInSync() {
      const now = clock.now();
      const wasSetBack = last !== null && now < last.at;
      if (last === null || wasSetBack || now - last.at >= runtimeLimits.clockCheckIntervalMs) {
        last = { at: now, isInSync: compare() };
      }
      return last.isInSync;
    },
  };
}
