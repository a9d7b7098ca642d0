import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { missingScopes } from "../config/scopes.ts";
import { apiVersionsOperation } from "../operations/version-operations.ts";

/**
 * Whether the app is installed in a shop. It asks Shopify, because our row may be outdated: a shop may install the app again
 * before the webhook of its uninstall arrives.
 */
export async function isInstalled({ config, graphql, shops }: AppContext, domain: string): Promise<boolean> {
  const shop = await shops.find(domain);
  if (!shop || shop.uninstalledAt !== null || shop.reconnectReason !== null) return false;
  if (missingScopes(config.app.mode, shop.scope).length > 0) return false;
  try {
    await graphql.call(domain, apiVersionsOperation(config.app.mode), {});
    return true;
  } catch (error) {
    const code = codeOf(error);
    return code !== "reconnect" && code !== "owner";
  }
}
