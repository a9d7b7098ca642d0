import {
  codeOf,
  confirmPayment,
  explainFinding,
  explainPayment,
  type Language,
  type OrderRef,
  type Payment,
  type PaymentState,
  type Refund,
  resolveWithin,
  syncRefunds,
} from "@tillkit/core";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { orderKey, orderNumber } from "./call-fields.ts";
import type { Desk } from "./desk.ts";
import { isSameOrder } from "./known-order.ts";
import { moneyAnswer } from "./money-answer.ts";
import { badRequest, type Call, type CallAnswer, refuseCall } from "./take-call.ts";

const schema = z.object({ order: orderNumber, key: orderKey });

/** What the order screen shows: from our records, at once. */
export async function answerStatus(call: Call): Promise<CallAnswer> {
  return await aboutOrder(call, async () => undefined);
}

/** "Check now": reads the order's payments at the service, as far as something may have changed. */
export async function answerCheck(call: Call): Promise<CallAnswer> {
  const { desk } = call;
  return await aboutOrder(call, async (ref) => {
    await resolveWithin(desk.clock, wooLimits.checkMs, checkOrder(desk, ref));
  });
}

/** Money may still arrive by these, or the shop does not show it yet. */
const UNSETTLED: readonly PaymentState[] = ["open", "superseded", "expired", "closed", "verified", "review"];
const REFUNDABLE: readonly PaymentState[] = ["recorded", "refunding", "duplicate"];

/** Looks at every payment of an order as if a webhook had come for it. What fails is tried again by the worker. */
export async function checkOrder({ engine, ledger, log }: Desk, ref: OrderRef): Promise<void> {
  const payments = (await ledger.siblings(ref)).slice(-wooLimits.checkedPayments);
  for (const { id, state } of payments) {
    try {
      if (UNSETTLED.includes(state)) await confirmPayment(engine, id, { actor: "operator" });
      if (REFUNDABLE.includes(state)) await syncRefunds(engine, id);
    } catch (error) {
      log.warn("woo.check_failed", { paymentId: id, code: codeOf(error) });
    }
  }
}

async function aboutOrder(call: Call, first: (ref: OrderRef) => Promise<void>): Promise<CallAnswer> {
  const { desk, store, body, words } = call;
  const wish = schema.safeParse(body);
  if (!wish.success) return badRequest(call);
  const ref = { storeId: store.config.id, orderId: wish.data.order };
  // Nothing is known of an order without payments, so there is nothing to mistake it for.
  const isKnown = (await desk.ledger.siblings(ref)).length > 0;
  if (isKnown && !(await isSameOrder(desk, store, ref, wish.data.key))) {
    return refuseCall(404, "order_not_known", words.orderNotKnown);
  }
  await first(ref);
  return { status: 200, body: await statusOf(call, ref) };
}

async function statusOf({ desk, language }: Call, ref: OrderRef): Promise<object> {
  const [payments, story] = await Promise.all([
    desk.ledger.siblings(ref),
    explainPayment(desk.engine, { ref }, language),
  ]);
  const refunds = (await Promise.all(payments.map(({ id }) => desk.ledger.refunds(id)))).flat();
  return {
    order: ref.orderId,
    headline: story.headline,
    attention: payments.some(({ state }) => state === "review" || state === "duplicate"),
    payments: payments.map((payment) => paymentAnswer(payment, language)),
    refunds: refunds.map((refund) => refundAnswer(refund, ref.storeId, language)),
    history: story.entries.map(({ at, actor, text }) => ({ at: seconds(at), who: actor, text })),
  };
}

function paymentAnswer(payment: Payment, language: Language): object {
  const { id, state, environment, amountDue, amountReceived, session, transactionId, createdAt, finding } = payment;
  return {
    payment: id,
    state,
    environment,
    amount: moneyAnswer(amountDue, language),
    received: amountReceived && moneyAnswer(amountReceived, language),
    session: session?.id ?? null,
    transaction: transactionId,
    started: seconds(createdAt),
    difference: finding && explainFinding(finding, language),
  };
}

function refundAnswer({ key, refundId, state, origin, amount }: Refund, storeId: string, language: Language): object {
  return {
    refund_key: origin === "store" ? key.replace(`woo-${storeId}-`, "") : key,
    refund: refundId,
    state: state === "asked" ? "unknown" : state,
    origin: ORIGINS[origin],
    amount: moneyAnswer(amount, language),
  };
}

const ORIGINS: Readonly<Record<Refund["origin"], string>> = { store: "shop", service: "service", policy: "rule" };

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
