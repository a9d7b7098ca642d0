import { codeOf } from "@tillkit/core";
import type { Desk } from "../app/desk.ts";
import { firstError } from "../graphql/operation.ts";
import { configureApp } from "../graphql/payments-operations.ts";
import { shopHandle } from "../shop/shop-domain.ts";
import { keysOf } from "./shop-keys.ts";

/**
 * Tells Shopify whether this shop can take payments, and under which name its owner knows the account. False: Shopify could
 * not be told now; the owner may save the settings once more.
 */
export async function tellReadiness(desk: Desk, domain: string): Promise<boolean> {
  const shop = await desk.shops.find(domain);
  if (!shop || desk.config.app.mode !== "offsite") return true;
  const keys = await keysOf(desk, domain);
  const modes = [...(keys.live ? ["live"] : []), ...(keys.test ? ["test"] : [])];
  const ready = modes.length > 0 && !shop.paused;
  // Nothing was ever set up: Shopify knows no readiness of this shop that could be wrong.
  if (!ready && !shop.ready) return true;
  try {
    const externalHandle = `${shopHandle(domain)} (${modes.join(", ")})`;
    const { userErrors } = await desk.graphql.call(domain, configureApp, { externalHandle, ready });
    if (userErrors.length > 0) throw new Error(firstError(userErrors));
    await desk.shops.change(domain, { ready });
    return true;
  } catch (error) {
    desk.log.warn("shopify.readiness_not_told", { storeId: domain, code: codeOf(error) });
    return false;
  }
}
