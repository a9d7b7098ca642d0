import type { Environment, PaymentState } from "@tillkit/core";
import { PAYMENT_STATES } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import type { AppContext } from "../app-context.ts";
import { reportReadiness } from "./report-readiness.ts";
import { credentialId } from "./service-keys.ts";

/** A payment in one of these states no longer needs its key, unless it is refunded later. */
const FINISHED: ReadonlySet<PaymentState> = new Set(["closed", "recorded", "refunded"]);

/**
 * Removes the stored key of an environment. An unfinished payment is read with its key, so the key stays while there is such a
 * payment.
 * @returns null when the key is removed; `paymentsOpen` when it stays
 */
export async function removeServiceKey(
  context: AppContext,
  shop: string,
  environment: Environment,
): Promise<"paymentsOpen" | null> {
  if (await hasUnfinishedPayments(context, shop, environment)) return "paymentsOpen";
  await context.credentials.remove(credentialId(shop, environment));
  await reportReadiness(context, shop);
  context.log.info("shopify.key_removed", { storeId: shop, environment });
  return null;
}

async function hasUnfinishedPayments({ ledger }: AppContext, storeId: string, environment: Environment) {
  const states = PAYMENT_STATES.filter((state) => !FINISHED.has(state));
  for await (const payments of allPages((page) => ledger.listPayments({ storeId, environment, states, ...page })))
    if (payments.length > 0) return true;
  return false;
}
