import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Request } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import { shopifyLimits } from "../limits.ts";
import { formatCookie, readCookie } from "../owner-pages/cookies.ts";

const COOKIE = "tillkit_state";

/** The OAuth `state` of an installation and the cookie that ties it to the owner's browser. */
export function createOAuthState(context: AppContext, shop: string): { state: string; cookie: string } {
  const { random, signer, clock } = context;
  const state = random.uuid();
  const lifeMs = shopifyLimits.oauthStateLifeMs;
  const value = signer.sign("oauth-state", `${state} ${shop}`, clock.now() + lifeMs);
  return { state, cookie: stateCookie(context, value, lifeMs) };
}

/** Whether this browser started the installation of this shop. */
export function isOAuthStateOf({ signer, clock }: AppContext, shop: string, state: string, request: Request): boolean {
  const expected = signer.verify("oauth-state", readCookie(request, COOKIE) ?? "", clock.now());
  return state !== "" && expected !== null && constantTimeEqual(`${state} ${shop}`, expected);
}

/** The `Set-Cookie` value that deletes the cookie after the installation. */
export function deletedStateCookie(context: AppContext): string {
  return stateCookie(context, "", 0);
}

function stateCookie({ config }: AppContext, value: string, lifeMs: number): string {
  const path = publicPath(config, PATHS.callback);
  return formatCookie({ name: COOKIE, value, path, lifeMs, secure: config.publicUrl.startsWith("https:") });
}
