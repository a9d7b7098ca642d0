import { codeOf } from "@tillkit/core";
import { privateHeaders } from "@tillkit/server";
import type { Request, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import { ownerCookie } from "../owner-pages/owner-session.ts";
import { sendProblemPage } from "../owner-pages/problem-page.ts";
import type { ProblemCode } from "../texts/owner-texts.ts";

export function queryOf(request: Request): URLSearchParams {
  // The path has no host, but URL needs one.
  return new URL(request.originalUrl, "http://app").searchParams;
}

/** Signs in the owner and redirects to the settings page. */
export function redirectToSettings(
  context: AppContext,
  shop: string,
  response: Response,
  cookies: readonly string[] = [],
): void {
  const headers = { ...privateHeaders, "Set-Cookie": [...cookies, ownerCookie(context, shop)] };
  response.writeHead(303, { ...headers, Location: publicPath(context.config, PATHS.settings) }).end();
}

export function reject({ log }: AppContext, code: ProblemCode, request: Request, response: Response): void {
  log.warn("shopify.entry_rejected", { reason: code });
  sendProblemPage(request, response, code, code === "scopes_missing" ? 403 : 400);
}

export function reportFailedInstallation(
  { log }: AppContext,
  shop: string,
  error: unknown,
  request: Request,
  response: Response,
): void {
  log.error("shopify.install_failed", { storeId: shop, code: codeOf(error) });
  sendProblemPage(request, response, "shopify_unavailable", 502);
}
