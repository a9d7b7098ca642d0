import {
  decimalText,
  explainFinding,
  explainPayment,
  gatherMovements,
  type Language,
  type OrderRef,
  type Payment,
  type Refund,
  type TimelineEntry,
} from "@tillkit/core";
import {
  explainDoubt,
  explainEquation,
  explainLostPayment,
  type MoneyDecisions,
  moneyDecisions,
} from "@tillkit/runtime";
import { decisionReasons } from "../decisions/decision-reasons.ts";
import { offeredDecision } from "../decisions/offered-decision.ts";
import { storedKeyOf } from "./handle-refund.ts";
import { moneyJson } from "./money-json.ts";
import { operatorsUrl } from "./operators-url.ts";
import type { PluginCall } from "./receive-call.ts";

/** What the order box and the shopper's pages show about an order, from the ledger alone. */
export async function orderStatus({ context, language }: PluginCall, ref: OrderRef): Promise<object> {
  const [payments, explanation, timeline] = await Promise.all([
    context.ledger.paymentsOfOrder(ref),
    explainPayment(context.engine, { ref }, language),
    context.ledger.timeline({ ref }),
  ]);
  const now = context.clock.now();
  const explained = await Promise.all(
    payments.map(async (payment) => {
      const movements = await gatherMovements(context.ledger, payment.id);
      return { payment, refunds: movements.refunds, money: moneyDecisions(payment, movements, now) };
    }),
  );
  const isOpen = ({ payment: { state, lostToDispute }, money }: (typeof explained)[number]) =>
    state === "review" || state === "duplicate" || lostToDispute || money.refundsInDoubt.length > 0;
  return {
    order: ref.orderId,
    headline: explanation.headline,
    attention: explained.some(isOpen),
    reasons: decisionReasons(payments, context.config.autoRefund),
    payments: explained.map(({ payment, money }) => ({
      ...paymentJson(payment, money, language),
      operators_url: operatorsUrl(context, payment.id),
      attempt: latestAttempt(payment, timeline),
      decision: decisionJson(payment, money, language),
    })),
    refunds: explained.flatMap(({ refunds, money }) =>
      refunds.map((refund) => refundJson(refund, money, ref.storeId, language)),
    ),
    timeline: explanation.entries.map(({ at, actor, text }) => ({ at: toSeconds(at), actor, text })),
  };
}

function paymentJson(payment: Payment, { equation, seen }: MoneyDecisions, language: Language): object {
  const { id, state, environment, amountDue, amountReceived, session, transactionId, createdAt, finding } = payment;
  return {
    payment: id,
    state,
    environment,
    amount: moneyJson(amountDue, language),
    received: amountReceived && moneyJson(amountReceived, language),
    sums: amountReceived && explainEquation(equation, language),
    lost: payment.lostToDispute ? explainLostPayment(equation, language) : null,
    seen,
    session: session?.id ?? null,
    transaction: transactionId,
    started: toSeconds(createdAt),
    difference: finding && explainFinding(finding, language),
  };
}

function decisionJson(payment: Payment, money: MoneyDecisions, language: Language): object | null {
  const offered = offeredDecision(payment, money);
  if (offered === null) return null;
  const { seen, canAccept, acceptByStatus, refundable } = offered;
  const amount = refundable && { ...moneyJson(refundable, language), decimal: decimalText(refundable) };
  return { seen, accept: canAccept, accept_by_status: acceptByStatus, refundable: amount };
}

/** The shopper's latest attempt on the hosted page, while nothing else is known of it; null before the first one. */
function latestAttempt({ id }: Payment, timeline: readonly TimelineEntry[]): "pending" | "failed" | null {
  const attempts = timeline.filter(({ paymentId, kind }) => paymentId === id && Object.hasOwn(ATTEMPTS, kind));
  return ATTEMPTS[attempts.at(-1)?.kind ?? ""] ?? null;
}

/** What a timeline entry of this kind says about the shopper's attempt: `acted` is a payment that the shopper has confirmed. */
const ATTEMPTS: Readonly<Record<string, "pending" | "failed">> = { acted: "pending", attempt_failed: "failed" };

function refundJson(refund: Refund, { refundsInDoubt }: MoneyDecisions, storeId: string, language: Language): object {
  const { key, paymentId, refundId, state, origin, amount } = refund;
  // The key that the plugin sent; `handleRefund` stores it with this prefix.
  const pluginKey = key.replace(storedKeyOf(storeId, ""), "");
  return {
    payment: paymentId,
    doubt: refundsInDoubt.includes(refund) ? explainDoubt(amount, language) : null,
    refund_key: origin === "store" ? pluginKey : key,
    refund: refundId,
    state: state === "requested" ? "unknown" : state,
    origin: ORIGINS[origin],
    amount: moneyJson(amount, language),
  };
}

const ORIGINS: Readonly<Record<Refund["origin"], string>> = { store: "shop", service: "service", tillkit: "automatic" };

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
