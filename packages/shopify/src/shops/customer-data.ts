import { decimalText, type Money, type Payment } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";

/** Everything that is stored about some orders of one shop, in words for the customer who asks for it. Times are ISO 8601. */
export async function customerDataOf(context: AppContext, shop: string, orderIds: readonly string[]): Promise<object> {
  const orders = [];
  for (const orderId of orderIds) {
    const payments = await context.ledger.paymentsOfOrder({ storeId: shop, orderId });
    orders.push({ order: orderId, payments: await Promise.all(payments.map((one) => paymentData(context, one))) });
  }
  return { shop, createdAt: timeText(context.clock.now()), orders };
}

async function paymentData({ ledger }: AppContext, payment: Payment): Promise<object> {
  const [refunds, timeline] = await Promise.all([
    ledger.refunds(payment.id),
    ledger.timeline({ paymentId: payment.id }),
  ]);
  return {
    payment: payment.id,
    orderNumber: payment.orderNumber,
    transaction: payment.transactionId,
    environment: payment.environment,
    state: payment.state,
    createdAt: timeText(payment.createdAt),
    amountDue: amountText(payment.amountDue),
    amountReceived: payment.amountReceived && amountText(payment.amountReceived),
    // What was sent to the payment service. Name, e-mail address and phone number are in it only until the session is open.
    request: payment.request === "" ? null : JSON.parse(payment.request),
    refunds: refunds.map(({ amount, state, requestedAt }) => ({
      amount: amountText(amount),
      state,
      requestedAt: timeText(requestedAt),
    })),
    events: timeline.map(({ at, actor, kind }) => ({ at: timeText(at), actor, kind })),
  };
}

function amountText(amount: Money): string {
  return `${decimalText(amount)} ${amount.currency}`;
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
