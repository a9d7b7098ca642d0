import { codeOf } from "@tillkit/core";
import { privateHeaders } from "@tillkit/server";
import type { Request, RequestHandler, Response } from "express";
import type { Desk } from "../app/desk.ts";
import { PATHS, publicPath } from "../app/paths.ts";
import { scopesOf } from "../app/scopes.ts";
import { shopifyLimits } from "../limits.ts";
import { cookie, readCookie } from "../owner/cookies.ts";
import { showFramed } from "../owner/framed-page.ts";
import { ownerCookie } from "../owner/owner-session.ts";
import { showProblem } from "../owner/problem-page.ts";
import type { ProblemName } from "../owner/words.ts";
import { readSignedQuery } from "../signatures/query-hmac.ts";
import { sameText } from "../signatures/same-text.ts";
import { readSessionToken } from "../signatures/session-token.ts";
import { isAtHome } from "./at-home.ts";
import { installShop } from "./install-shop.ts";

const STATE = "tillkit_state";

/** Shopify opens the app for the owner of a shop: to install it, or to look after its settings. */
export function enterApp(desk: Desk): RequestHandler {
  const { config, oauth, clock } = desk;

  return async function enter(request, response) {
    const query = queryOf(request);
    const idToken = query.get("id_token");
    if (config.app.embedded && idToken !== null) return await enterFramed(desk, idToken, request, response);
    const reading = readSignedQuery(query, oauth.clientSecret, clock.now());
    if (reading.say !== "valid") return refuse(desk, request, response, reading.say);
    if (await isAtHome(desk, reading.shop)) {
      return goTo(response, publicPath(config, PATHS.settings), [ownerCookie(desk, reading.shop)]);
    }
    askForGrant(desk, reading.shop, response);
  };
}

/** Where Shopify sends the owner after the grant page. */
export function finishGrant(desk: Desk): RequestHandler {
  const { config, oauth, signer, clock, log } = desk;

  return async function finish(request, response) {
    const query = queryOf(request);
    const reading = readSignedQuery(query, oauth.clientSecret, clock.now());
    if (reading.say !== "valid") return refuse(desk, request, response, reading.say);
    const { shop } = reading;
    const state = query.get("state") ?? "";
    const expected = signer.read("oauth-state", readCookie(request, STATE) ?? "", clock.now());
    if (state === "" || expected === null || !sameText(`${state} ${shop}`, expected)) {
      return refuse(desk, request, response, "bad_state");
    }
    const code = query.get("code") ?? "";
    if (!/^[\w-]{1,200}$/.test(code)) return refuse(desk, request, response, "forged");
    try {
      const missing = await installShop(desk, shop, { by: "code", code });
      if (missing.length > 0) return refuse(desk, request, response, "scopes_missing");
      const used = cookie({ ...stateCookie(desk), value: "", lifeMs: 0 });
      goTo(response, publicPath(config, PATHS.settings), [used, ownerCookie(desk, shop)]);
    } catch (error) {
      log.error("shopify.install_failed", { storeId: shop, code: codeOf(error) });
      showProblem(request, response, "shopify_silent", 502);
    }
  };
}

function askForGrant(desk: Desk, shop: string, response: Response): void {
  const { config, oauth, random, signer, clock } = desk;
  const state = random.uuid();
  const query = new URLSearchParams({
    client_id: oauth.clientId,
    scope: scopesOf(config.app.mode).join(","),
    redirect_uri: `${config.publicUrl}${PATHS.callback}`,
    state,
    "grant_options[]": "",
  });
  const value = signer.sign("oauth-state", `${state} ${shop}`, clock.now() + shopifyLimits.stateMs);
  const kept = cookie({ ...stateCookie(desk), value, lifeMs: shopifyLimits.stateMs });
  response.writeHead(302, {
    ...privateHeaders,
    "Set-Cookie": kept,
    Location: `${oauth.originOf(shop)}/admin/oauth/authorize?${query}`,
  });
  response.end();
}

/** The app in a frame of the shop's admin: Shopify grants by itself, and our cookie would not reach us there. */
async function enterFramed(desk: Desk, idToken: string, request: Request, response: Response): Promise<void> {
  const { oauth, clock, log } = desk;
  const shop = readSessionToken(idToken, oauth, clock.now());
  if (shop === null) return refuse(desk, request, response, "forged");
  try {
    const missing = (await isAtHome(desk, shop))
      ? []
      : await installShop(desk, shop, { by: "session-token", token: idToken });
    if (missing.length > 0) return refuse(desk, request, response, "scopes_missing");
    showFramed(desk, shop, request, response);
  } catch (error) {
    log.error("shopify.install_failed", { storeId: shop, code: codeOf(error) });
    showProblem(request, response, "shopify_silent", 502);
  }
}

function refuse(desk: Desk, request: Request, response: Response, why: ProblemName): void {
  desk.log.warn("shopify.entry_refused", { why });
  showProblem(request, response, why, why === "scopes_missing" ? 403 : 400);
}

function goTo(response: Response, path: string, cookies: readonly string[]): void {
  response.writeHead(303, { ...privateHeaders, "Set-Cookie": [...cookies], Location: path }).end();
}

function stateCookie({ config }: Desk) {
  return { name: STATE, path: publicPath(config, PATHS.callback), secure: config.publicUrl.startsWith("https:") };
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.originalUrl, "http://app").searchParams;
}
