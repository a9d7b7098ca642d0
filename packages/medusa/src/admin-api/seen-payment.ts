import { createHash } from "node:crypto";
import { gatherMovements, type Money, type Payment } from "@tillkit/core";
import { moneyDecisions } from "@tillkit/runtime";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/** `by`: Medusa's id of the user. `seen`: `PaymentView.seen` of the page on which the person decided. */
export type Decision = { readonly by: string; readonly seen: string };

/**
 * Names what a person sees of a payment before they decide: its state and difference, each movement of its money, and what the open cart
 * costs. A decision sends it back, so that nobody accepts, places, refunds or settles what they did not see.
 */
export async function seenOf(
  { ledger, engine }: Pick<CheckoutRuntime, "ledger" | "engine">,
  payment: Payment,
  openCart: { readonly total: Money } | null,
): Promise<string> {
  const { seen } = moneyDecisions(payment, await gatherMovements(ledger, payment.id), engine.clock.now());
  return createHash("sha256")
    .update(JSON.stringify([seen, openCart?.total ?? null]))
    .digest("hex")
    .slice(0, 32);
}
