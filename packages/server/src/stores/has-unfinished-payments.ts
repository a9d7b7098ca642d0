import type { Environment, Ledger, PaymentState } from "@tillkit/core";
import { PAYMENT_STATES } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";

/** A payment in one of these states no longer needs its key, unless it is refunded later. */
const FINISHED: ReadonlySet<PaymentState> = new Set(["closed", "recorded", "refunded"]);

/** Whether a payment of the store may still move, so that its key of the service is needed. */
export async function hasUnfinishedPayments(
  ledger: Pick<Ledger, "listPayments">,
  filter: { readonly storeId: string; readonly environment?: Environment },
): Promise<boolean> {
  const states = PAYMENT_STATES.filter((state) => !FINISHED.has(state));
  for await (const payments of allPages((page) => ledger.listPayments({ ...filter, states, ...page })))
    if (payments.length > 0) return true;
  return false;
}
