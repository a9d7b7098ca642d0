import type { Environment } from "@tillkit/core";
import { hasUnfinishedPayments } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { reportReadiness } from "./report-readiness.ts";
import { credentialId } from "./service-keys.ts";

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
  if (await hasUnfinishedPayments(context.ledger, { storeId: shop, environment })) return "paymentsOpen";
  await context.credentials.remove(credentialId(shop, environment));
  await reportReadiness(context, shop);
  context.log.info("shopify.key_removed", { storeId: shop, environment });
  return null;
}
