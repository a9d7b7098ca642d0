import type { InitiatePaymentInput, InitiatePaymentOutput } from "@medusajs/framework/types";
import { type Order, sameMoney, startCheckout } from "@tillkit/core";
import { originOf } from "../options/address.ts";
import { moneyOf } from "../shop/amounts.ts";
import { collectionIdOf } from "../shop/collection.ts";
import type { Till } from "../till/open-till.ts";
import type { ReturnWish } from "../till/wishes.ts";
import { dataOf } from "./payment-data.ts";
import { notAllowed } from "./refusal.ts";

/** Opens the hosted checkout of one payment session. Its amount is read from Medusa's tables, never from the storefront. */
export async function initiate(till: Till, input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
  const attempt = textOf(input.data?.session_id);
  const wanted = moneyOf(input.amount, input.currency_code);
  const order = await orderOf(till, attempt);
  if (!sameMoney(order.total, wanted)) {
    throw notAllowed("totalChanged");
  }
  const wish = wishOf(till, input.data ?? {});
  const start = await till.wishes.during(attempt, wish, () => startCheckout(till.engine, order));
  if (start.status === "paid") throw notAllowed("paidAlready");
  if (start.status === "held") throw notAllowed("heldAlready");
  const payment = await till.ledger.find({ id: start.paymentId });
  if (!payment) throw notAllowed("notBegun");
  return { id: payment.id, status: "requires_more", data: dataOf(payment) };
}

async function orderOf({ container, store, options }: Till, attempt: string): Promise<Order> {
  const orderId = await collectionIdOf(container, attempt);
  const order = orderId === null ? null : await store.findOrder({ storeId: options.storeId, orderId }, attempt);
  if (order) return order;
  throw notAllowed("sessionUnknown");
}

/** A storefront may name its own pages, on the origins that the shop allows. */
function wishOf({ options }: Till, data: Readonly<Record<string, unknown>>): ReturnWish {
  const { allowedReturnOrigins: allowed } = options;
  const page = (name: string) => {
    const address = textOf(data[name]);
    if (address === "") return undefined;
    if (URL.canParse(address) && allowed.includes(originOf(address))) return address;
    throw notAllowed("pageNotAllowed");
  };
  return { returnUrl: page("return_url"), cancelUrl: page("cancel_url") };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
