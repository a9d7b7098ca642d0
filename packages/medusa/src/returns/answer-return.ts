import { confirmOnReturn, type PaymentStatus, watchPayment } from "@tillkit/core";
import { readCollection } from "../shop/collection.ts";
import { proofOf } from "../shop/proof.ts";
import type { Till } from "../till/open-till.ts";

/**
 * What a storefront tells a shopper who came back. `paid`: the order is there. `waiting`: nothing arrived yet, or the order is
 * being placed: ask again in two seconds. `held`: money arrived and the shop looks at it. `lapsed`: the page ran out, a late
 * payment still counts. `refunded`: the money is on its way back. `unknown`: this link is not ours, or too old.
 */
export type ReturnAnswer = {
  readonly say: "paid" | "waiting" | "held" | "lapsed" | "refunded" | "unknown";
  readonly order_id: string | null;
};

/**
 * The token names the payment, so the shopper may come back in any browser, without the cart's cookie. The first look
 * confirms, with a short deadline; those after it (`again`) read our books and start a confirm when one is due.
 */
export async function answerReturn(till: Till, token: string, again: boolean): Promise<ReturnAnswer> {
  const id = till.links.read(token);
  const payment = id === null ? null : await till.ledger.find({ id });
  if (!payment) return { say: "unknown", order_id: null };
  const standing = await (again ? watchPayment : confirmOnReturn)(till.engine, payment.id);
  return await answerOf(till, standing);
}

async function answerOf({ container }: Till, { status, payment }: PaymentStatus): Promise<ReturnAnswer> {
  if (status === "held" || status === "lapsed" || status === "refunded") return { say: status, order_id: null };
  const collection = status === "waiting" ? null : await readCollection(container, payment.ref.orderId);
  // The other payment of a duplicate made the order: it is this shopper's all the same.
  const isThere = collection !== null && proofOf(collection) !== null;
  return isThere ? { say: "paid", order_id: collection.orderId } : { say: "waiting", order_id: null };
}
