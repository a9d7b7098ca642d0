import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { configureApp } from "../operations/payments-operations.ts";
import { shopHandle } from "../shop-domain.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import { storedKeys } from "./service-keys.ts";

/**
 * Offsite mode: reports to Shopify whether the shop can take payments, and the name under which its owner knows the account.
 * @returns false when Shopify could not be told; saving the settings again repeats the report
 */
export async function reportReadiness(context: AppContext, domain: string): Promise<boolean> {
  const shop = await context.shops.find(domain);
  if (!shop || context.config.app.mode !== "offsite") return true;
  const keys = await storedKeys(context, domain);
  const environments: string[] = [];
  if (keys.live) environments.push("live");
  if (keys.test) environments.push("test");
  const ready = environments.length > 0 && !shop.paused;
  // A shop that was never ready needs no report: Shopify assumes that a new shop is not ready.
  if (!ready && !shop.ready) return true;
  try {
    const externalHandle = `${shopHandle(domain)} (${environments.join(", ")})`;
    const { userErrors } = await context.graphql.call(domain, configureApp, { externalHandle, ready });
    if (userErrors.length > 0) throw new Error(describeUserErrors(userErrors));
    await context.shops.update(domain, { ready });
    return true;
  } catch (error) {
    context.log.warn("shopify.readiness_not_reported", { storeId: domain, code: codeOf(error) });
    return false;
  }
}
