import type { Ledger, PaymentLedger } from "@tillkit/core";

/** Whether the ledger can list its payments and records, as every ledger that `openLedger` returns can. */
export function canList(ledger: PaymentLedger): ledger is Ledger {
  return "listPayments" in ledger && "records" in ledger;
}

/** Whether personal data can be pruned from the ledger. */
export function canPrune(ledger: PaymentLedger): ledger is Ledger {
  return "prune" in ledger;
}

/** Whether the ledger counts the calls made with each API key, so that all processes on this ledger share one rate limit. */
export function canShareBudget(ledger: PaymentLedger): ledger is Ledger {
  return "spend" in ledger;
}
