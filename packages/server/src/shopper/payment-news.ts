import { EventEmitter } from "node:events";
import type { Clock, PaymentLedger } from "@tillkit/core";
import { setTimer } from "@tillkit/core/hosts";
import { serverLimits } from "../limits.ts";

/** What happens to payments in this process. What other processes commit shows only in the ledger. */
export type PaymentNews = {
  /** The ledger whose commits are the news. */
  readonly ledger: PaymentLedger;
  /** Listens from now on. Null while too many requests listen. */
  listen(paymentId: string): PaymentListener | null;
};

export type PaymentListener = {
  /** Resolves when a commit was about the payment since the last call, at the latest after `withinMs`. */
  changed(withinMs: number): Promise<void>;
  stop(): void;
};

export function createPaymentNews(ledger: PaymentLedger, clock: Clock): PaymentNews {
  const commits = new EventEmitter().setMaxListeners(0);
  let listening = 0;

  const commit: PaymentLedger["commit"] = async (change) => {
    const result = await ledger.commit(change);
    const ids = new Set([change.payment?.next.id, ...change.timeline.map(({ paymentId }) => paymentId)]);
    if (result === "done") for (const id of ids) if (id) commits.emit(id);
    return result;
  };

  return {
    ledger: Object.assign(Object.create(ledger), { commit }),
    listen(paymentId) {
      if (listening >= serverLimits.maxHeldAnswers) return null;
      listening += 1;
      let isNew = false;
      let wake = () => {};
      const onCommit = () => {
        isNew = true;
        wake();
      };
      commits.on(paymentId, onCommit);
      return {
        async changed(withinMs) {
          if (!isNew)
            await new Promise<void>((resolve) => {
              const cancelTimer = setTimer(clock, withinMs, resolve);
              wake = () => {
                cancelTimer();
                resolve();
              };
            });
          isNew = false;
        },
        stop() {
          listening -= 1;
          commits.off(paymentId, onCommit);
        },
      };
    },
  };
}
