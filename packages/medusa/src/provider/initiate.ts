import type { InitiatePaymentInput, InitiatePaymentOutput } from "@medusajs/framework/types";
import { isPageOf, parseUrl } from "@tillkit/client";
import { CURRENCY_DECIMALS, type Order, sameMoney, startCheckout } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import type { ReturnPages } from "../runtime/requested-return-pages.ts";
import { namesCountry } from "../runtime/return-url.ts";
import { toMoney } from "../store/amounts.ts";
import { readCountry } from "../store/cart-country.ts";
import { readBuyer } from "../store/cart-people.ts";
import { readDisplayId } from "../store/order.ts";
import { findCollectionId, readCollection } from "../store/payment-collection.ts";
import { reattachedPaymentFor } from "../store/reattached-payment.ts";
import { AT_PAY } from "./at-pay.ts";
import { toPaymentData } from "./payment-data.ts";

/**
 * Opens a checkout session for a payment session. The amount comes from Medusa's tables, never from the storefront. A shopper who only
 * chooses the method (`opens: "at_pay"`) needs no page yet: the cart may still change, and each change would open another page.
 */
export async function initiate(runtime: CheckoutRuntime, input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
  const attempt = textOf(input.data?.session_id);
  const reattached = reattachedPaymentFor(attempt);
  if (reattached) return { id: reattached.id, status: "requires_more", data: toPaymentData(reattached) };
  const currency = input.currency_code.toUpperCase();
  if (!Object.hasOwn(CURRENCY_DECIMALS, currency)) throw userError("currencyNotTaken", { currency });
  const requested = toMoney(input.amount, input.currency_code);
  const order = await orderOf(runtime, attempt);
  if (!sameMoney(order.total, requested)) {
    throw userError("totalChanged");
  }
  if (input.data?.opens === AT_PAY)
    return { id: attempt, status: "pending", data: { version: 1, session_id: attempt } };
  const country = await countryOf(runtime, order.ref.orderId);
  const pages = { ...requestedPages(runtime, input.data ?? {}), country };
  const start = await runtime.returnPages.runWith(attempt, pages, () => startCheckout(runtime.engine, order));
  runtime.debug("initiate.answered", { attempt, status: start.status, paymentId: start.paymentId });
  if (start.status === "paid") throw userError("alreadyPaid");
  if (start.status === "held") throw userError("paymentHeld");
  const payment = await runtime.ledger.find({ id: start.paymentId });
  if (!payment) throw userError("notStarted");
  return { id: payment.id, status: "requires_more", data: toPaymentData(payment) };
}

async function orderOf({ container, store, options }: CheckoutRuntime, attempt: string): Promise<Order> {
  const orderId = await findCollectionId(container, attempt);
  const order = orderId === null ? null : await store.findOrder({ storeId: options.storeId, orderId }, attempt);
  if (!order || orderId === null) throw userError("sessionUnknown");
  return { ...order, ...(await customerOf(container, orderId)) };
}

/** The customer, who fills in the hosted page's form, and the number of the order when the payment is for an edited order. */
async function customerOf(
  container: CheckoutRuntime["container"],
  collectionId: string,
): Promise<Pick<Order, "customer" | "number">> {
  const collection = await readCollection(container, collectionId);
  if (!collection) return {};
  const { cartId, orderId } = collection;
  const buyer = await readBuyer(container, { cartId, orderId });
  const displayId = orderId === null ? null : await readDisplayId(container, orderId);
  const { name, email, phone } = buyer ?? { name: null, email: null, phone: null };
  const customer = { name: name ?? undefined, email: email ?? undefined, phone: phone ?? undefined };
  if (displayId === null) return { customer };
  const withoutNumberSign = displayId.slice(1);
  return { customer, number: withoutNumberSign };
}

// Read only where an address of the options names the country.
async function countryOf({ container, options }: CheckoutRuntime, collectionId: string): Promise<string | null> {
  if (!namesCountry(options.returnUrl) && !namesCountry(options.cancelUrl)) return null;
  const collection = await readCollection(container, collectionId);
  return collection && (await readCountry(container, collection));
}

/** A storefront may choose its own pages, on origins that `allowedReturnOrigins` names. */
function requestedPages(
  { options, log }: CheckoutRuntime,
  data: Readonly<Record<string, unknown>>,
): Omit<ReturnPages, "country"> {
  const { allowedReturnOrigins } = options;
  const page = (name: string) => {
    const url = textOf(data[name]);
    if (url === "") return undefined;
    if (allowedReturnOrigins.some((origin) => isPageOf(url, origin))) return url;
    // The origin alone: an address of a storefront may name a cart.
    log.warn("return_page.refused", { field: name, origin: parseUrl(url)?.origin ?? "unreadable" });
    throw userError("pageNotAllowed");
  };
  return { returnUrl: page("return_url"), cancelUrl: page("cancel_url") };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
