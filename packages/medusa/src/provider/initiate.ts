import type { InitiatePaymentInput, InitiatePaymentOutput } from "@medusajs/framework/types";
import { type Order, sameMoney, startCheckout } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import { originOf } from "../options/web-url.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import type { ReturnPages } from "../runtime/requested-return-pages.ts";
import { toMoney } from "../store/amounts.ts";
import { findCollectionId } from "../store/payment-collection.ts";
import { toPaymentData } from "./payment-data.ts";

/** Opens a checkout session for a payment session. The amount comes from Medusa's tables, never from the storefront. */
export async function initiate(runtime: CheckoutRuntime, input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
  const attempt = textOf(input.data?.session_id);
  const requested = toMoney(input.amount, input.currency_code);
  const order = await orderOf(runtime, attempt);
  if (!sameMoney(order.total, requested)) {
    throw userError("totalChanged");
  }
  const pages = returnPagesOf(runtime, input.data ?? {});
  const start = await runtime.returnPages.runWith(attempt, pages, () => startCheckout(runtime.engine, order));
  if (start.status === "paid") throw userError("alreadyPaid");
  if (start.status === "held") throw userError("paymentHeld");
  const payment = await runtime.ledger.find({ id: start.paymentId });
  if (!payment) throw userError("notStarted");
  return { id: payment.id, status: "requires_more", data: toPaymentData(payment) };
}

async function orderOf({ container, store, options }: CheckoutRuntime, attempt: string): Promise<Order> {
  const orderId = await findCollectionId(container, attempt);
  const order = orderId === null ? null : await store.findOrder({ storeId: options.storeId, orderId }, attempt);
  if (order) return order;
  throw userError("sessionUnknown");
}

/** A storefront may choose its own pages, on origins that `allowedReturnOrigins` names. */
function returnPagesOf({ options }: CheckoutRuntime, data: Readonly<Record<string, unknown>>): ReturnPages {
  const { allowedReturnOrigins } = options;
  const page = (name: string) => {
    const url = textOf(data[name]);
    if (url === "") return undefined;
    if (URL.canParse(url) && allowedReturnOrigins.includes(originOf(url))) return url;
    throw userError("pageNotAllowed");
  };
  return { returnUrl: page("return_url"), cancelUrl: page("cancel_url") };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
