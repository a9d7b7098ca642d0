import {
  decimalText,
  explainFinding,
  explainPayment,
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
  isHeld,
  isOffered,
  offerOf,
  refundOffered,
  type View,
  viewPayment,
} from "@tillkit/core/back-office";
import { decisionReasons } from "../decisions/decision-reasons.ts";
import { backOfficeOf } from "./back-office.ts";
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
  const office = backOfficeOf(context);
  const views = await Promise.all(payments.map((payment) => viewPayment(office, payment)));
  const isOpen = (view: View) => isHeld(view.payment) || view.payment.lostToDispute || isOffered(view, "looked");
  return {
    order: ref.orderId,
    headline: explanation.headline,
    attention: views.some(isOpen),
    reasons: decisionReasons(context.engine, payments, timeline),
    payments: views.map((view) => ({
      ...paymentJson(view, language),
      operators_url: operatorsUrl(context, view.payment.id),
      attempt: latestAttempt(view.payment, timeline),
      decision: decisionJson(view, language),
    })),
    refunds: views.flatMap((view) =>
      view.movements.refunds.map((refund) =>
        refundJson(refund, view, storedKeyOf(context.platform, ref.storeId, ""), language),
      ),
    ),
    timeline: explanation.entries.map(({ at, actor, text }) => ({ at: toSeconds(at), actor, text })),
  };
}

function paymentJson({ payment, sum, seen }: View, language: Language): object {
  const { id, state, environment, amountDue, amountReceived, session, transactionId, createdAt, finding } = payment;
  return {
    payment: id,
    state,
    environment,
    amount: moneyJson(amountDue, language),
    received: amountReceived && moneyJson(amountReceived, language),
    sums: amountReceived && explainEquation(sum, language),
    lost: payment.lostToDispute ? explainLostPayment(sum, language) : null,
    seen,
    session: session?.id ?? null,
    transaction: transactionId,
    started: toSeconds(createdAt),
    difference: finding && explainFinding(finding, language),
  };
}

// Null for a payment that waits for no decision. `accept_by_status`: the owner accepts by setting the order to paid, because it was closed.
function decisionJson(view: View, language: Language): object | null {
  const { payment, seen } = view;
  if (!isHeld(payment)) return null;
  const refundable = refundOffered(view);
  return {
    seen,
    accept: isOffered(view, "accept"),
    accept_by_status: payment.state === "review" && payment.finding?.code === "order_not_payable",
    missing: missingOf(payment, language),
    refundable: refundable && { ...moneyJson(refundable, language), decimal: decimalText(refundable) },
  };
}

/** What an owner who accepts the payment will not have got of the order's total, which may have changed since; null: nothing. */
function missingOf({ amountDue, amountReceived, finding }: Payment, language: Language): object | null {
  const total = (finding?.code === "total_changed" ? finding.found : null) ?? amountDue;
  if (amountReceived === null || amountReceived.currency !== total.currency) return null;
  const minor = total.minor - amountReceived.minor;
  return minor > 0 ? moneyJson({ minor, currency: total.currency }, language) : null;
}

/** The shopper's latest attempt on the hosted page, while nothing else is known of it; null before the first one. */
function latestAttempt({ id }: Payment, timeline: readonly TimelineEntry[]): "pending" | "failed" | null {
  const ofPayment = timeline.filter(({ paymentId }) => paymentId === id);
  const last = ofPayment.findLast(({ kind }) => kind === "acted" || kind === "attempt_failed");
  // The shopper has confirmed the payment that `acted` is about.
  return last === undefined ? null : last.kind === "acted" ? "pending" : "failed";
}

function refundJson(refund: Refund, view: View, keyPrefix: string, language: Language): object {
  const { key, paymentId, refundId, state, origin, amount } = refund;
  // The key that the plugin sent; `handleRefund` stores it with this prefix.
  const pluginKey = key.replace(keyPrefix, "");
  return {
    payment: paymentId,
    doubt: offerOf(view, "looked", key)?.why === null ? explainDoubt(amount, language) : null,
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
