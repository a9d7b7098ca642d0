import {
  acceptReview,
  codeOf,
  findingKey,
  gatherMovements,
  type Money,
  type OrderRef,
  type Payment,
  parseMoney,
  type Refund,
  refundPayment,
  resolveWithin,
} from "@tillkit/core";
import { decideMoney, moneyDecisions } from "@tillkit/runtime";
import { z } from "zod";
import type { AppContext } from "../app-context.ts";
import { type OfferedDecision, offeredDecision } from "../decisions/offered-decision.ts";
import { wooLimits } from "../limits.ts";
import { actorText, amountText, currencyCode, orderKey, orderNumber } from "./call-fields.ts";
import { finalRefusalMessage, storedKeyOf } from "./handle-refund.ts";
import { matchesOrderKey } from "./order-key.ts";
import { orderStatus } from "./order-status.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const sharedFields = {
  order: orderNumber,
  key: orderKey,
  payment: z.string().regex(/^[\w-]{1,64}$/),
  /** `OfferedDecision.seen` of what the page showed when the owner decided. */
  seen: z.string().regex(/^[0-9a-f]{32}$/),
  by: actorText,
};

const inputSchema = z.discriminatedUnion("decision", [
  z.object({ ...sharedFields, decision: z.literal("accept") }),
  z.object({
    ...sharedFields,
    decision: z.literal("refund"),
    amount: amountText,
    currency: currencyCode,
    reason: z.enum(["requested_by_customer", "duplicate", "fraudulent"]),
  }),
  // The owner has looked in the service's dashboard.
  z.object({
    ...sharedFields,
    decision: z.literal("refund-outcome"),
    refund_key: z.string().regex(/^[\w:-]{1,255}$/),
    made: z.enum(["yes", "no"]),
  }),
]);

type Decision = z.infer<typeof inputSchema>;
type RefundDecision = Extract<Decision, { decision: "refund" }>;

/**
 * Answers `decide`: the owner accepts or refunds a payment under review, refunds a duplicate, or says how a refund in doubt ended. The
 * decision is about exactly what the owner saw. The same refund of the same view is made once, however often it is requested.
 */
export async function handleDecide(call: PluginCall): Promise<CallResponse> {
  const { context, store, messages } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  const { order, key, payment: paymentId } = input.data;
  const ref = { storeId: store.config.id, orderId: order };
  const payment = (await context.ledger.paymentsOfOrder(ref)).find(({ id }) => id === paymentId);
  if (!payment || !(await matchesOrderKey(context, store, ref, key))) {
    return errorResponse(404, "order_not_known", messages.orderNotKnown);
  }
  const work = decide(call, ref, payment, input.data);
  const tooSlow = errorResponse(503, "unavailable", messages.tryAgain);
  return (await resolveWithin(context.clock, wooLimits.decideMs, work)) ?? tooSlow;
}

async function decide(call: PluginCall, ref: OrderRef, payment: Payment, input: Decision): Promise<CallResponse> {
  const { context, messages } = call;
  try {
    if (input.decision === "refund-outcome") return await tellRefundOutcome(call, ref, payment, input);
    const isOutdated = (await offeredFor(context, payment))?.seen !== input.seen;
    if (input.decision === "refund") {
      const error = await decideRefund(call, payment, input, isOutdated);
      if (error) return error;
    } else {
      if (isOutdated) return errorResponse(409, "decision_outdated", messages.decisionOutdated);
      const seen = payment.finding ? findingKey(payment.finding) : "";
      const stillApplies = () => isStillSeen(context, input);
      await acceptReview(context.engine, { paymentId: payment.id, by: input.by, seen, stillApplies });
    }
    return { status: 200, body: await orderStatus(call, ref) };
  } catch (error) {
    return await refusal(call, payment, input, error);
  }
}

async function tellRefundOutcome(
  call: PluginCall,
  ref: OrderRef,
  payment: Payment,
  input: Extract<Decision, { decision: "refund-outcome" }>,
): Promise<CallResponse> {
  const { context, messages } = call;
  const { seen, by, refund_key: sentKey, made } = input;
  const known = await context.ledger.refunds(payment.id);
  const refundKey = known.find(({ key }) => key === sentKey || key === storedKeyOf(ref.storeId, sentKey))?.key ?? "";
  const decision = { kind: "refundOutcome", seen, by, refundKey, wasMade: made === "yes" } as const;
  const { status } = await decideMoney(context.engine, payment.id, decision);
  if (status === "outdated") return errorResponse(409, "decision_outdated", messages.decisionOutdated);
  return { status: 200, body: await orderStatus(call, ref) };
}

/** Another tab or person may decide at the same moment, so the engine asks this right before it commits a decision. */
async function isStillSeen(context: AppContext, { payment: paymentId, seen }: Decision): Promise<boolean> {
  const payment = await context.ledger.find({ id: paymentId });
  return payment !== null && (await offeredFor(context, payment))?.seen === seen;
}

async function offeredFor({ ledger, clock }: AppContext, payment: Payment): Promise<OfferedDecision | null> {
  return offeredDecision(payment, moneyDecisions(payment, await gatherMovements(ledger, payment.id), clock.now()));
}

/** Returns null when the refund was sent, else why not. A repeated request counts although what the owner saw is outdated by it. */
async function decideRefund(
  call: PluginCall,
  payment: Payment,
  input: RefundDecision,
  isOutdated: boolean,
): Promise<CallResponse | null> {
  const { context, messages } = call;
  const amount = readAmount(input);
  if (!amount) return errorResponse(422, "amount_invalid", messages.amountInvalid);
  // The key names what the owner saw, so a second click on the same view is the same refund, even after a lost answer.
  const refundKey = `woo-decision-${payment.id}-${input.seen}-${amount.minor}`;
  const isRepeat = (await context.ledger.refunds(payment.id)).some(({ key }) => key === refundKey);
  if (isOutdated && !isRepeat) return errorResponse(409, "decision_outdated", messages.decisionOutdated);
  const { state } = await refund(call, amount, refundKey, input);
  return state === "failed" ? errorResponse(409, "refund_refused", messages.refundFailed) : null;
}

function readAmount({ amount, currency }: { readonly amount: string; readonly currency: string }): Money | null {
  try {
    return parseMoney(amount, currency);
  } catch {
    return null;
  }
}

async function refund({ context }: PluginCall, amount: Money, key: string, input: RefundDecision): Promise<Refund> {
  const { payment: paymentId, by, reason } = input;
  return await refundPayment(context.engine, {
    paymentId,
    key,
    amount,
    origin: "tillkit",
    reason,
    by,
    allowedStates: ["review", "duplicate", "refunding"],
    stillApplies: () => isStillSeen(context, input),
  });
}

async function refusal(call: PluginCall, payment: Payment, input: Decision, error: unknown): Promise<CallResponse> {
  const { context, store, messages } = call;
  const code = codeOf(error);
  context.log.warn("woo.decision_refused", { storeId: store.config.id, paymentId: input.payment, code });
  if (code === "ledger_busy" && !(await isStillSeen(context, input))) {
    return errorResponse(409, "decision_outdated", messages.decisionOutdated);
  }
  if (code === "review_not_acceptable") return errorResponse(409, "decision_refused", messages.notAcceptable);
  const message = await finalRefusalMessage(call, payment, error);
  return message === null
    ? errorResponse(503, "unavailable", messages.tryAgain)
    : errorResponse(409, "refund_refused", message);
}
