import { codeOf } from "@tillkit/core";
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import type { AppContext } from "../app-context.ts";
import type { Shop } from "../records/shops.ts";
import { readShopDomain } from "../shop-domain.ts";
import { createCertificateCheck } from "./client-certificate.ts";
import { receiveModification } from "./receive-modification.ts";
import { receivePayment } from "./receive-payment.ts";
import { captureBody, paymentBody, refundBody, voidBody } from "./session-bodies.ts";
import { refuse, type SessionResponse } from "./session-response.ts";

type SessionKind = "payment" | "refund" | "capture" | "void";

/**
 * The four routes to which Shopify posts its payment, refund, capture and void sessions. They answer
 * without calling the payment service or Shopify.
 */
export function sessionRoutes(context: AppContext): Readonly<Record<SessionKind, RequestHandler>> {
  const route = <Body>(schema: z.ZodType<Body>, receive: (shop: Shop, body: Body) => Promise<SessionResponse>) =>
    sessionRoute(context, schema, receive);
  return {
    payment: route(paymentBody, (shop, body) => receivePayment(context, shop, body)),
    refund: route(refundBody, (shop, body) => receiveModification(context, shop, body, "refund")),
    capture: route(captureBody, (shop, body) => receiveModification(context, shop, body, "capture")),
    void: route(voidBody, (shop, body) => receiveModification(context, shop, body, "void")),
  };
}

function sessionRoute<Body>(
  context: AppContext,
  schema: z.ZodType<Body>,
  receive: (shop: Shop, body: Body) => Promise<SessionResponse>,
): RequestHandler {
  const isFromShopify = createCertificateCheck(context.config.clientCertificates);
  const warnOfOtherVersion = createVersionWarning(context);

  async function responseTo(request: Request): Promise<SessionResponse> {
    if (!isFromShopify(request)) {
      return refuse(401, "certificate_missing", "This address requires Shopify's client certificate.");
    }
    const domain = readShopDomain(request.headers["shopify-shop-domain"]);
    const version = request.headers["shopify-api-version"];
    if (domain === null || !request.headers["shopify-request-id"] || typeof version !== "string") {
      return refuse(
        400,
        "headers_missing",
        "Shopify-Shop-Domain, Shopify-Request-Id or Shopify-Api-Version is missing or malformed.",
      );
    }
    warnOfOtherVersion(version);
    const body = schema.safeParse(parseJson(request.body));
    if (!body.success) return refuse(400, "body_invalid", `The body has invalid fields: ${fieldsOf(body.error)}.`);
    const shop = await context.shops.find(domain);
    if (!shop || shop.uninstalledAt !== null) {
      return refuse(403, "shop_not_known", "This shop has not installed the app.");
    }
    return await receive(shop, body.data);
  }

  return async function session(request, response) {
    try {
      write(response, await responseTo(request));
    } catch (error) {
      context.log.error("shopify.session_not_stored", { path: request.path, code: codeOf(error) });
      write(response, refuse(503, "not_stored", "The session could not be stored. Post it again."));
    }
  };
}

/** Warns when Shopify posts in another API version than the configured one: once, and again when Shopify posts in yet another. */
function createVersionWarning({ config, log }: AppContext): (version: string) => void {
  const { apiVersion } = config.app;
  let warnedOf: string | null = null;

  return function warnOfOtherVersion(version) {
    if (version === apiVersion || version === warnedOf) return;
    warnedOf = version;
    log.warn("shopify.api_version_differs", { posted: version.slice(0, 20), configured: apiVersion });
  };
}

function parseJson(body: unknown): unknown {
  if (!(body instanceof Uint8Array)) return null;
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

// Only the names of the fields, because their values may be personal data.
function fieldsOf(error: z.ZodError): string {
  return [...new Set(error.issues.map(({ path }) => path.join(".") || "body"))].join(", ");
}

function write(response: Response, { status, body }: SessionResponse): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}
