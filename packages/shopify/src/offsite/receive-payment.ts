import { codeOf, parseMoney, toWire } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import type { PaymentSession } from "../records/payment-sessions.ts";
import type { Shop } from "../records/shops.ts";
import { SHOP_PAUSED } from "../texts/rejection-texts.ts";
import { postedCustomer } from "./posted-customer.ts";
import type { PaymentBody } from "./session-bodies.ts";
import { refuse, refuseChangedSession, type SessionResponse } from "./session-response.ts";

/** Stores a payment session once and answers with its pay link, which is the same for every further post of the session. */
export async function receivePayment(context: AppContext, shop: Shop, body: PaymentBody): Promise<SessionResponse> {
  const obstacle = await findObstacle(context, shop, body);
  if (obstacle !== null) return refuse(422, obstacle, OBSTACLES[obstacle]);
  const posted = toPaymentSession(context, shop.domain, body);
  const stored = await context.sessions.add(shop.domain, posted);
  if (!isSamePayment(stored, posted)) {
    context.log.error("shopify.session_differs", { storeId: shop.domain, attempt: body.gid });
    return refuseChangedSession();
  }
  await storeCustomer(context, stored, shop.domain, body);
  // Shopify refuses our mutation that resolves the session until it has received our answer to its last post. The time of a
  // repeated post is recorded, because a refusal soon after a post means that we must send the mutation again later.
  const isLaterPost = posted.postedAt > stored.postedAt;
  if (isLaterPost) await context.sessions.addPost(shop.domain, body.gid, posted.postedAt);
  return { status: 200, body: { redirect_url: stored.redirectUrl } };
}

function toPaymentSession(context: AppContext, shop: string, body: PaymentBody): PaymentSession {
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
    cancelUrl: body.payment_method?.data?.cancel_url ?? body.cancel_url ?? context.oauth.shopUrl(shop),
    redirectUrl: context.checkout.payLink({ ref: { storeId: shop, orderId: group }, attempt: gid }),
    postedAt: context.clock.now(),
    rejectedAt: null,
    pendingUntil: null,
    nextUrl: null,
  };
}

/** Stores the customer for the hosted page. A failure does not refuse the payment: the hosted page then asks the customer. */
async function storeCustomer(
  { customers, log }: AppContext,
  { gid, postedAt }: PaymentSession,
  shop: string,
  body: PaymentBody,
): Promise<void> {
  try {
    await customers.add(shop, gid, postedCustomer(body), postedAt);
  } catch (error) {
    log.warn("shopify.customer_not_stored", { storeId: shop, attempt: gid, code: codeOf(error) });
  }
}

function isSamePayment(stored: PaymentSession, { group, amount, currency, test }: PaymentSession): boolean {
  return stored.group === group && stored.amount === amount && stored.currency === currency && stored.test === test;
}

/** Why a session is refused, by the code of the answer. */
const OBSTACLES = {
  shop_paused: SHOP_PAUSED,
  authorization_not_supported:
    "This app takes payments immediately: configure the shop to capture payments automatically.",
  currency_not_supported: "This app does not accept payments in this currency.",
  amount_invalid: "The amount is zero or has more decimals than its currency.",
  key_missing: "The shop has no key of the payment service for this mode (test or live).",
} as const;

async function findObstacle(
  context: AppContext,
  { domain, paused }: Shop,
  body: PaymentBody,
): Promise<keyof typeof OBSTACLES | null> {
  if (paused) return "shop_paused";
  if (body.kind === "authorization") return "authorization_not_supported";
  try {
    if (!context.config.currencies.includes(body.currency)) return "currency_not_supported";
    assertPayable(body, context);
    await context.engine.tenants.credentialFor(domain, body.test ? "test" : "live");
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === "currency_not_supported" || code === "amount_invalid") return code;
    if (code === "store_not_known" || code === "environment_differs") return "key_missing";
    throw error;
  }
}

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
function assertPayable({ amount, currency }: PaymentBody, { config }: AppContext): void {
  toWire(parseMoney(amount, currency), config.amountUnit);
}
