import type { Ledger, Payment, TimelineEntry } from "@tillkit/core";
import type { NewJob } from "@tillkit/core/ledger";
import { pluginLimits } from "../limits.ts";
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

/** `attempt`: Medusa's id of the session to which the payment belongs from now on. */
type Reattaching = {
  readonly attempt: string;
  readonly timeline: readonly TimelineEntry[];
  readonly jobs?: readonly NewJob[];
};

/**
 * Writes a new attempt to a payment. Its own jobs may change the payment at the same time, so a stale write is repeated with the payment
 * as it is then. Null when `applies` is no longer true of the payment.
 */
export async function changeAttempt(
  ledger: Pick<Ledger, "commit" | "find">,
  payment: Payment,
  { attempt, ...added }: Reattaching,
  applies: (current: Payment) => Promise<boolean> | boolean,
): Promise<Payment | null> {
  let current: Payment | null = payment;
  for (let round = 0; round < pluginLimits.commitRounds; round += 1) {
    if (current === null || !(await applies(current))) return null;
    const next: Payment = { ...current, attempt, version: current.version + 1 };
    const answer = await ledger.commit({ payment: { next, expect: current.version }, ...added });
    if (answer === "done") return next;
    current = await ledger.find({ id: payment.id });
  }
  return null;
}
