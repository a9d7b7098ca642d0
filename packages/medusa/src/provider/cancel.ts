import { codeOf, type Payment, paidMoney, type RefundState, refundPayment } from "@tillkit/core";
import { readCollection } from "../shop/collection.ts";
import { isOrderCanceled } from "../shop/order.ts";
import type { Till } from "../till/open-till.ts";

/**
 * Medusa cancels a payment in two very different moments: an order was given up, or its own database failed right after the
 * payment arrived. So the order is looked at first: only money of an order that Medusa itself shows as canceled goes back,
 * and everything else is left to the timer, which tells Medusa again.
 */
export async function cancel(till: Till, payment: Payment): Promise<void> {
  const arrived = payment.state === "verified" || payment.state === "recorded";
  if (!arrived || !(await isAbandoned(till, payment))) {
    till.log.info("cancel.left_alone", { paymentId: payment.id, state: payment.state });
    return;
  }
  const left = paidMoney(payment).minor - (await given(till, payment.id));
  if (left <= 0) return;
  const amount = { minor: left, currency: payment.owed.currency };
  const wish = { paymentId: payment.id, key: `medusa:cancel:${payment.id}`, amount, origin: "store" } as const;
  try {
    await refundPayment(till.engine, wish);
  } catch (error) {
    till.log.warn("cancel.not_given_back", { paymentId: payment.id, code: codeOf(error) });
    throw error;
  }
}

async function isAbandoned({ container }: Till, { ref }: Payment): Promise<boolean> {
  const collection = await readCollection(container, ref.orderId);
  if (collection?.isCanceled) return true;
  return collection?.orderId ? await isOrderCanceled(container, collection.orderId) : false;
}

async function given({ ledger }: Till, paymentId: string): Promise<number> {
  const onItsWay: readonly RefundState[] = ["completed", "pending", "asked", "unknown"];
  const refunds = await ledger.refunds(paymentId);
  return refunds.filter(({ state }) => onItsWay.includes(state)).reduce((sum, { amount }) => sum + amount.minor, 0);
}
