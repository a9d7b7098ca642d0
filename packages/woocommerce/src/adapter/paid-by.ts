import type { Order } from "@tillkit/core";
import { GATEWAY, META } from "../protocol/names.ts";
import { metaOf, type WooOrder } from "./woo-order.ts";

/**
 * What the order shows as paid by: a payment id of ours, `outside` (another method, or another gateway's transaction), `owner`
 * (set to paid by hand), `unclear` (paid, and nobody can tell by what), null while it is unpaid. The plugin reads the same
 * from inside the shop; `vectors/settle.json` holds both to it.
 */
export function paidByOf(order: WooOrder): string | null {
  if (!hasDate(order.date_paid_gmt) && !PAID.has(order.status)) return null;
  const { payment_method: method, transaction_id: transaction } = order;
  const payment = method === GATEWAY ? metaOf(order, META.payment) : "";
  if (payment !== "") return payment;
  if ((method !== "" && method !== GATEWAY) || transaction !== "") return "outside";
  return paidWithoutPayment(order);
}

function paidWithoutPayment(order: WooOrder): "owner" | "unclear" | null {
  const { status } = order;
  if (UNPAID.has(status) || (status === "on-hold" && !isLateHold(order))) return null;
  const known = rememberedOf(order);
  if (known) return known.by === "" ? "unclear" : "owner";
  const decided = PAID.has(status) || status === "on-hold";
  const otherGateway = order.meta_data.some(({ key }) => OTHER_GATEWAYS.test(key));
  return decided && !otherGateway ? "owner" : "unclear";
}

/**
 * Who set the order to paid by hand, and when. The plugin keeps a role and a number; without it the date of payment is all
 * that is known.
 */
export function setPaidOf(order: WooOrder): NonNullable<Order["setPaid"]> {
  const known = rememberedOf(order);
  if (known) return { by: known.by, at: known.at * 1_000 };
  const at = Date.parse(`${order.date_paid_gmt}Z`);
  return { by: "the shop's owner", at: Number.isNaN(at) ? 0 : at };
}

/**
 * A hold of ours landed after the owner had set the order to paid: its mark is written only while there is no date of payment,
 * and everything that changes the status afterwards takes it away.
 */
export function isLateHold(order: WooOrder): boolean {
  return order.status === "on-hold" && hasDate(order.date_paid_gmt) && metaOf(order, META.hold) !== "";
}

/** The status that the owner had set before the hold landed. */
export function decidedStatus(order: WooOrder): string {
  return rememberedOf(order)?.status ?? (hasDate(order.date_completed_gmt) ? "completed" : "processing");
}

/** An order in one of these is not paid, whatever date of payment it still bears: WooCommerce never takes that date away. */
const UNPAID: ReadonlySet<string> = new Set(["pending", "failed", "checkout-draft", "cancelled", "refunded", "trash"]);
const PAID: ReadonlySet<string> = new Set(["processing", "completed"]);

/** Order meta that payment gateways leave. It tells of an attempt, not of money. */
const OTHER_GATEWAYS =
  /^_(?:stripe|wcpay|ppcp|paypal|mollie|square|klarna|razorpay|adyen|braintree)_|^_(?:intent|charge)_id$/;

function hasDate(date: string | null | undefined): boolean {
  return typeof date === "string" && date !== "";
}

type Remembered = { readonly by: string; readonly at: number; readonly status: string };

function rememberedOf(order: WooOrder): Remembered | null {
  try {
    const kept: unknown = JSON.parse(metaOf(order, META.setPaid));
    if (typeof kept !== "object" || kept === null || !("by" in kept) || !("at" in kept) || !("status" in kept))
      return null;
    const { by, at, status } = kept;
    const isWhole = typeof by === "string" && Number.isSafeInteger(at) && typeof status === "string";
    return isWhole ? { by, at: Number(at), status } : null;
  } catch {
    return null;
  }
}
