import { type Money, type OrderRef, type Payment, parseTypedAmount } from "@tillkit/core";
import { type Choice, type Decided, decide, explainNotDone, explainUnknownPayment } from "@tillkit/core/back-office";
import { resolveWithin } from "@tillkit/core/hosts";
import { z } from "zod";
import { serverLimits } from "../server-limits.ts";
import { backOfficeOf } from "./back-office.ts";
import { actorText, amountText, currencyCode, orderKey, orderNumber } from "./call-fields.ts";
import { storedKeyOf } from "./handle-refund.ts";
import { matchesOrderKey } from "./order-key.ts";
import { orderStatus } from "./order-status.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const sharedFields = {
  order: orderNumber,
  key: orderKey,
  payment: z.string().regex(/^[\w-]{1,64}$/),
  /** What the order box received as `seen` when the owner decided. */
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

type Input = z.infer<typeof inputSchema>;

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
  if (!(await matchesOrderKey(context, store, ref, key)))
    return errorResponse(404, "order_not_known", messages.orderNotKnown);
  if (!payment) return errorResponse(404, "order_not_known", explainUnknownPayment(call.language));
  const work = decideAndAnswer(call, ref, payment, input.data);
  const tooSlow = unanswered(call, input.data);
  return (await resolveWithin(context.clock, serverLimits.decideMs, work)) ?? tooSlow;
}

async function decideAndAnswer(call: PluginCall, ref: OrderRef, payment: Payment, input: Input): Promise<CallResponse> {
  const { context, messages, store } = call;
  const choice = await readChoice(call, payment, input);
  if (choice === null) return errorResponse(422, "amount_invalid", messages.amountInvalid);
  const { seen, by } = input;
  const person = { by, right: "operator", storeId: store.config.id } as const;
  const office = backOfficeOf(context);
  const decided = await decide(office, { ...choice, paymentId: payment.id, person, seen }).catch(() => null);
  if (decided === null) return unanswered(call, input);
  return decided.status === "done"
    ? { status: 200, body: await orderStatus(call, ref) }
    : notDone(call, payment, choice, decided);
}

/** Only a refund is told about money that may go back twice. */
function unanswered({ messages }: PluginCall, { decision }: Input): CallResponse {
  return errorResponse(503, "unavailable", decision === "refund" ? messages.tryAgain : messages.unavailable);
}

async function readChoice({ context }: PluginCall, payment: Payment, input: Input): Promise<Choice | null> {
  switch (input.decision) {
    case "accept":
      return { kind: "accept" };
    case "refund": {
      const amount = readAmount(input);
      return amount && { kind: "refund", transactionId: null, amount, reason: input.reason };
    }
    case "refund-outcome": {
      const { refund_key: sent, made } = input;
      const stored = storedKeyOf(context.platform, payment.ref.storeId, sent);
      const known = await context.ledger.refunds(payment.id);
      const refundKey = known.find(({ key }) => key === sent || key === stored)?.key ?? "";
      return { kind: "looked", refundKey, wasMade: made === "yes" };
    }
  }
}

function readAmount({ amount, currency }: { readonly amount: string; readonly currency: string }): Money | null {
  try {
    return parseTypedAmount(amount, currency);
  } catch {
    return null;
  }
}

function notDone(
  { context, language }: PluginCall,
  payment: Payment,
  choice: Choice,
  decided: Exclude<Decided, { status: "done" }>,
): CallResponse {
  const sentence = explainNotDone(decided, language, context.engine.decisionUrl(payment));
  if (decided.status === "unknown") return errorResponse(404, "order_not_known", sentence);
  if (decided.status === "changed") return errorResponse(409, "decision_outdated", sentence);
  if (decided.retryable) return errorResponse(503, "unavailable", sentence);
  return errorResponse(409, choice.kind === "accept" ? "decision_refused" : "refund_refused", sentence);
}
