import { codeOf } from "@tillkit/core";
import { versionsOperation } from "../app/api-versions.ts";
import type { Desk } from "../app/desk.ts";
import { missingScopes } from "../app/scopes.ts";

/**
 * Whether the app is installed in a shop as far as Shopify is concerned. What our row says may be old: a shop that took the app
 * away and comes back may do so before we are told that it left.
 */
export async function isAtHome({ config, graphql, shops }: Desk, domain: string): Promise<boolean> {
  const shop = await shops.find(domain);
  if (!shop || shop.uninstalledAt !== null || shop.trouble !== null) return false;
  if (missingScopes(config.app.mode, shop.scope).length > 0) return false;
  try {
    await graphql.call(domain, versionsOperation(config.app.mode), {});
    return true;
  } catch (error) {
    return codeOf(error) !== "reconnect";
  }
}
