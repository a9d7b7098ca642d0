import type { Payment } from "@tillkit/core";
import { processStorage } from "../process-storage.ts";

type Reattachment = { readonly payment: Payment; attempt: string | null };

/**
 * Medusa creates a payment session only by asking the provider to start a payment. While a received payment is attached to its cart
 * again, our provider answers with that payment and opens no page.
 */
const current = processStorage<Reattachment>("reattached-payment");

/**
 * A session that Medusa creates during `work` belongs to this payment.
 * @returns Medusa's id of the session; null when none was created
 */
export async function runReattaching(payment: Payment, work: () => Promise<unknown>): Promise<string | null> {
  const reattachment: Reattachment = { payment, attempt: null };
  await current.run(reattachment, work);
  return reattachment.attempt;
}

/** The payment that this new session belongs to; null while none is attached again. */
export function reattachedPaymentFor(attempt: string): Payment | null {
  const reattachment = current.getStore();
  if (!reattachment) return null;
  reattachment.attempt = attempt;
  return { ...reattachment.payment, attempt };
}
