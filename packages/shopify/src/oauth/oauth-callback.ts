import type { RequestHandler } from "express";
import type { AppContext } from "../app-context.ts";
import { verifyQuery } from "../signatures/query-signature.ts";
import { installShop } from "./install-shop.ts";
import { queryOf, redirectToSettings, reject, reportFailedInstallation } from "./oauth-responses.ts";
import { deletedStateCookie, isOAuthStateOf } from "./oauth-state.ts";

/** `GET /shopify/callback`: Shopify sends the owner here with an authorization code after the grant page. */
export function oauthCallback(context: AppContext): RequestHandler {
  return async function callback(request, response) {
    const query = queryOf(request);
    const verification = verifyQuery(query, context.oauth.clientSecret, context.clock.now());
    if (verification.status !== "valid") return reject(context, verification.status, request, response);
    const { shop } = verification;
    if (!isOAuthStateOf(context, shop, query.get("state") ?? "", request)) {
      return reject(context, "bad_state", request, response);
    }
    const code = query.get("code") ?? "";
    if (!/^[\w-]{1,200}$/.test(code)) return reject(context, "forged", request, response);
    try {
      const missing = await installShop(context, shop, { grant: "code", code });
      if (missing.length > 0) return reject(context, "scopes_missing", request, response);
      redirectToSettings(context, shop, response, [deletedStateCookie(context)]);
    } catch (error) {
      reportFailedInstallation(context, shop, error, request, response);
    }
  };
}
