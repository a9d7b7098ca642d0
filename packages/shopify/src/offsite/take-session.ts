import { codeOf, parseMoney, toWire } from "@tillkit/core";
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import type { Desk } from "../app/desk.ts";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import type { Shop } from "../shop/shops.ts";
import { createCertificateCheck } from "./client-certificate.ts";
import type { MoneyErrand } from "./money-errand.ts";
import type { PaymentSession } from "./payment-sessions.ts";
import {
  type PostedMoney,
  type PostedPayment,
  postedCapture,
  postedPayment,
  postedRefund,
  postedVoid,
} from "./posted-session.ts";

/** What is answered. A 2xx is a promise that it is written down; Shopify repeats the post after anything else. */
type SessionAnswer = { readonly status: number; readonly body: object };

type Taken<Body> = { readonly desk: Desk; readonly shop: Shop; readonly body: Body };

/** The four routes that Shopify posts to. None of them asks the service or Shopify anything. */
export function sessionRoutes(desk: Desk): Readonly<Record<"payment" | "refund" | "capture" | "void", RequestHandler>> {
  const take = <Body>(schema: z.ZodType<Body>, answer: (taken: Taken<Body>) => Promise<SessionAnswer>) =>
    takeSession(desk, schema, answer);
  return {
    payment: take(postedPayment, takePayment),
    refund: take(postedRefund, (taken) => takeMoney(taken, "refund")),
    capture: take(postedCapture, (taken) => takeMoney(taken, "capture")),
    void: take(postedVoid, (taken) => takeMoney(taken, "void")),
  };
}

function takeSession<Body>(
  desk: Desk,
  schema: z.ZodType<Body>,
  answer: (taken: Taken<Body>) => Promise<SessionAnswer>,
): RequestHandler {
  const isFromShopify = createCertificateCheck(desk.config.clientCertificates);

  let toldVersion = desk.config.app.apiVersion;

  // The version of the deployed extension decides what is posted: once is enough to say that it is not ours.
  function tellOtherVersion(version: string): void {
    if (version === desk.config.app.apiVersion || version === toldVersion) return;
    toldVersion = version;
    desk.log.warn("shopify.other_version", { posted: version.slice(0, 20), ours: desk.config.app.apiVersion });
  }

  async function answerTo(request: Request): Promise<SessionAnswer> {
    if (!isFromShopify(request))
      return refuse(401, "certificate_missing", "Only Shopify's client certificate is let in here.");
    const domain = readShopDomain(request.headers["shopify-shop-domain"]);
    const version = request.headers["shopify-api-version"];
    if (domain === null || !request.headers["shopify-request-id"] || typeof version !== "string") {
      return refuse(
        400,
        "headers_missing",
        "Shopify-Shop-Domain, Shopify-Request-Id or Shopify-Api-Version is missing or malformed.",
      );
    }
    tellOtherVersion(version);
    const body = schema.safeParse(readJson(request.body));
    if (!body.success)
      return refuse(400, "body_invalid", `The body is not what was agreed on: ${fieldsOf(body.error)}.`);
    const shop = await desk.shops.find(domain);
    if (!shop || shop.uninstalledAt !== null)
      return refuse(403, "shop_not_known", "This shop has not installed the app.");
    return await answer({ desk, shop, body: body.data });
  }

  return async function session(request, response) {
    try {
      write(response, await answerTo(request));
    } catch (error) {
      desk.log.error("shopify.session_not_kept", { path: request.path, code: codeOf(error) });
      write(response, refuse(503, "not_kept", "The session could not be stored just now: post it again."));
    }
  };
}

async function takePayment({ desk, shop, body }: Taken<PostedPayment>): Promise<SessionAnswer> {
  const why = await whyNotPayable(desk, shop, body);
  if (why !== null) return refuse(422, why, REASONS[why]);
  const session = sessionOf(desk, shop.domain, body);
  const kept = await desk.sessions.keep(shop.domain, session);
  if (!isSameOrder(kept, session)) {
    desk.log.error("shopify.session_differs", { storeId: shop.domain, attempt: body.gid });
    return refuse(409, "session_differs", "This session was posted before, for something else.");
  }
  // Until Shopify has our answer to its last post it refuses to resolve.
  if (kept.postedAt < session.postedAt)
    await desk.sessions.change(shop.domain, body.gid, { postedAt: session.postedAt });
  return { status: 200, body: { redirect_url: kept.redirectUrl } };
}

function sessionOf(desk: Desk, shop: string, body: PostedPayment): PaymentSession {
  const { id, gid, group, amount, currency, test, customer, merchant_locale: merchantLocale } = body;
  const locale = customer?.locale ?? merchantLocale ?? "";
  return {
    id,
    gid,
    group,
    amount,
    currency,
    test,
    language: locale.toLowerCase().startsWith("en") ? "en" : "fr",
    cancelUrl: body.payment_method?.data?.cancel_url ?? body.cancel_url ?? desk.oauth.originOf(shop),
    redirectUrl: desk.checkout.payLink({ ref: { storeId: shop, orderId: group }, attempt: gid }),
    postedAt: desk.clock.now(),
    rejectedAt: null,
    pendingUntil: null,
    nextUrl: null,
  };
}

function isSameOrder(kept: PaymentSession, { group, amount, currency, test }: PaymentSession): boolean {
  return kept.group === group && kept.amount === amount && kept.currency === currency && kept.test === test;
}

type WhyNot = keyof typeof REASONS;

const REASONS = {
  shop_paused: "The owner of this shop takes no payments for now.",
  authorization_not_supported: "This app takes money at once: configure the shop to capture payments automatically.",
  currency_not_supported: "This app does not take payments in this currency.",
  amount_invalid: "The amount is zero, or has more decimals than its currency.",
  key_missing: "The shop has no key of the payment service for this mode (test or live).",
} as const;

async function whyNotPayable(desk: Desk, { domain, paused }: Shop, body: PostedPayment): Promise<WhyNot | null> {
  if (paused) return "shop_paused";
  if (body.kind === "authorization") return "authorization_not_supported";
  try {
    if (!desk.config.currencies.includes(body.currency)) return "currency_not_supported";
    toWire(parseMoney(body.amount, body.currency), desk.config.amountUnit);
    await desk.engine.tenants.credentialFor(domain, body.test ? "test" : "live");
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === "currency_not_supported" || code === "amount_invalid") return code;
    if (code === "store_not_known" || code === "environment_differs") return "key_missing";
    throw error;
  }
}

/** Written down and answered; what becomes of it Shopify is told later. */
async function takeMoney({ desk, shop, body }: Taken<PostedMoney>, kind: MoneyErrand["kind"]): Promise<SessionAnswer> {
  const { id, gid, payment_id: paymentId, test, amount = null, currency = null } = body;
  const errand: MoneyErrand = {
    kind,
    id,
    gid,
    paymentId,
    amount,
    currency,
    test,
    tell: null,
    askedAt: null,
    readAt: null,
  };
  const { money } = desk.errands;
  if ((await money.add(shop.domain, gid, errand)) === "exists") {
    const known = await money.find(shop.domain, gid);
    const isSame =
      known &&
      known.state.paymentId === paymentId &&
      known.state.amount === amount &&
      known.state.currency === currency;
    if (!isSame) return refuse(409, "session_differs", "This session was posted before, for something else.");
  }
  return { status: 201, body: {} };
}

function readJson(body: unknown): unknown {
  if (!(body instanceof Uint8Array)) return null;
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

// Names of fields only: their values may be a customer's.
function fieldsOf(error: z.ZodError): string {
  return [...new Set(error.issues.map(({ path }) => path.join(".") || "body"))].join(", ");
}

function refuse(status: number, code: string, message: string): SessionAnswer {
  return { status, body: { code, message } };
}

function write(response: Response, { status, body }: SessionAnswer): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}

/** The largest body of a session request. */
export const SESSION_BODY = { type: () => true, limit: shopifyLimits.sessionBytes } as const;
