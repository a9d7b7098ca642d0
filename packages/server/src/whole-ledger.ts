import type { Ledger, PaymentLedger } from "@tillkit/core";

/** Whether a ledger can be looked through, as those of `openLedger` can. */
export function hasView(ledger: PaymentLedger): ledger is Ledger {
  return "listPayments" in ledger && "records" in ledger;
}

/** Whether personal data can be pruned from it. */
export function canPrune(ledger: PaymentLedger): ledger is Ledger {
  return "prune" in ledger;
}

/** Whether it counts the calls of a key over all processes that share it. */
export function sharesBudget(ledger: PaymentLedger): ledger is Ledger {
  return "spend" in ledger;
}
