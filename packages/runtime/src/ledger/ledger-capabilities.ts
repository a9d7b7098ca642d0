import type { Ledger, PaymentLedger } from "@tillkit/core";

/** Whether the ledger lists its rows, as those of `openLedger` do. */
export function canList(ledger: PaymentLedger): ledger is Ledger {
  return "listPayments" in ledger && "records" in ledger;
}

/** Whether personal data can be pruned from the ledger. */
export function canPrune(ledger: PaymentLedger): ledger is Ledger {
  return "prune" in ledger;
}

/** Whether the ledger counts a key's calls over all processes that share it. */
export function canShareBudget(ledger: PaymentLedger): ledger is Ledger {
  return "spend" in ledger;
}
