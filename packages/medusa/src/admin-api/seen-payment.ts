import { createHash } from "node:crypto";
import { findingKey, type Ledger, type Money, type Payment, refundableAmount } from "@tillkit/core";

/** `by`: Medusa's id of the user. `seen`: `PaymentView.seen` of the page on which the person decided. */
export type Decision = { readonly by: string; readonly seen: string };

/**
 * Names what a person sees of a held payment or a duplicate before they decide: the difference, what is left after refunds, and what the open cart
 * costs. A decision sends it back, so that nobody accepts, places or refunds what they did not see. Null: the payment waits for no decision.
 */
export async function seenOf(
  ledger: Pick<Ledger, "refunds">,
  payment: Payment,
  openCart: { readonly total: Money } | null,
): Promise<string | null> {
  const { id, state, finding } = payment;
  if (state !== "review" && state !== "duplicate") return null;
  const left = refundableAmount(payment, await ledger.refunds(id));
  const shown = JSON.stringify([id, state, finding && findingKey(finding), left.minor, openCart?.total ?? null]);
  return createHash("sha256").update(shown).digest("hex").slice(0, 32);
}
