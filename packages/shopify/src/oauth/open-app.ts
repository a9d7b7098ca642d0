import { privateHeaders } from "@tillkit/server";
import type { Request, RequestHandler, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS } from "../config/paths.ts";
import { scopesOf } from "../config/scopes.ts";
import { sendEmbeddedPage } from "../owner-pages/embedded-page.ts";
import { isInstalled } from "../shops/is-installed.ts";
import { verifyQuery } from "../signatures/query-signature.ts";
import { verifySessionToken } from "../signatures/session-token.ts";
import { installShop } from "./install-shop.ts";
import { queryOf, redirectToSettings, reject, reportFailedInstallation } from "./oauth-responses.ts";
import { createOAuthState } from "./oauth-state.ts";

/** `GET /shopify`: Shopify opens the app for the owner of a shop, to install it or to change its settings. */
export function openApp(context: AppContext): RequestHandler {
  const { config, oauth, clock } = context;

  return async function open(request, response) {
    const query = queryOf(request);
    const idToken = query.get("id_token");
    if (config.app.embedded && idToken !== null) return await openEmbeddedApp(context, idToken, request, response);
    const verification = verifyQuery(query, oauth.clientSecret, clock.now());
    if (verification.status !== "valid") return reject(context, verification.status, request, response);
    if (await isInstalled(context, verification.shop)) {
      return redirectToSettings(context, verification.shop, response);
    }
    redirectToGrantPage(context, verification.shop, response);
  };
}

function redirectToGrantPage(context: AppContext, shop: string, response: Response): void {
  const { config, oauth } = context;
  const { state, cookie } = createOAuthState(context, shop);
  const query = new URLSearchParams({
    client_id: oauth.clientId,
    scope: scopesOf(config.app.mode).join(","),
    redirect_uri: `${config.publicUrl}${PATHS.callback}`,
    state,
    // Not `per-user`: Shopify issues an offline access token.
    "grant_options[]": "",
  });
  const location = `${oauth.shopUrl(shop)}/admin/oauth/authorize?${query}`;
  response.writeHead(302, { ...privateHeaders, "Set-Cookie": cookie, Location: location }).end();
}

/** The app in a frame of the shop's admin. Shopify manages the grant there, and browsers block our cookies. */
async function openEmbeddedApp(
  context: AppContext,
  idToken: string,
  request: Request,
  response: Response,
): Promise<void> {
  const shop = verifySessionToken(idToken, context.oauth, context.clock.now());
  if (shop === null) return reject(context, "forged", request, response);
  try {
    if (!(await isInstalled(context, shop))) {
      const missing = await installShop(context, shop, { grant: "session-token", token: idToken });
      if (missing.length > 0) return reject(context, "scopes_missing", request, response);
    }
    sendEmbeddedPage(context, shop, request, response);
  } catch (error) {
    reportFailedInstallation(context, shop, error, request, response);
  }
}
