import { CheckoutError } from "@tillkit/core";

/** For a decision whose payment changed while it was carried out: the back office compares it with what the person saw. */
export function changedError(): CheckoutError {
  const message = "This payment changed in the meantime: reload it, then decide.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}
