import { type Money, type Payment, parseMoney, type Refund, syncRefunds } from "@tillkit/core";
import { paymentOfRefund, requestStoreRefund, type StoreRefunds } from "@tillkit/core/store-refunds";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { shopRefundKey } from "../order/shop-refund.ts";
import type { ModificationResult, ModificationTask } from "../records/tasks.ts";
import type { RejectionReason } from "../texts/rejection-texts.ts";

export type ModificationContext = Pick<
  AppContext,
  "engine" | "ledger" | "sessions" | "shops" | "graphql" | "clock" | "log"
>;

/** The final result of a modification; or the state of its task, and when the task continues. */
export type Decision =
  | { readonly result: ModificationResult }
  | { readonly state: ModificationTask; readonly retryAt: number };

/** Shopify repeats a request under its id, waits for its result as long as it takes, and lists no refunds in a payment session. */
const SESSION_REFUNDS: StoreRefunds = { keys: "stable", pending: "shown", list: async () => null };

/** Requests a refund from the service and follows it until it is final. A capture or void is rejected at once. */
export async function decideModification(
  context: ModificationContext,
  shop: string,
  state: ModificationTask,
): Promise<Decision> {
  if (state.kind !== "refund") return reject("authorization_not_supported");
  const amount = exactAmount(state);
  const key = shopRefundKey(state.id);
  const payment = await findPaymentOf(context, shop, state);
  if (!amount || !payment) return reject("payment_not_found");
  const now = context.clock.now();
  const answer = await requestStoreRefund(context, SESSION_REFUNDS, payment, { key, amount, askedAt: now });
  if (answer.kind !== "refused") return await followRefund(context, state, answer.refund);
  // An earlier refund of the payment has no answer yet. Two requests of Shopify are two refunds, so this one waits.
  if (answer.why.kind === "refund_in_doubt") return { state, retryAt: now + shopifyLimits.refundPollMs };
  if (answer.retryable) throw answer.error;
  return reject(answer.why, context.engine.decisionUrl(payment));
}

/** The result comes from a read of the service, and not from the service's answer to the refund request. */
async function followRefund(
  { engine, clock }: ModificationContext,
  state: ModificationTask,
  refund: Refund,
): Promise<Decision> {
  if (refund.state === "completed") return { result: { kind: "resolve", attempts: 0 } };
  const now = clock.now();
  const requested = { ...state, requestedAt: state.requestedAt ?? now, readAt: state.readAt ?? now };
  const nextReadAt = nextReadTime(requested.requestedAt, requested.readAt);
  if (now < nextReadAt) return { state: requested, retryAt: now + shopifyLimits.refundPollMs };
  await syncRefunds(engine, refund.paymentId);
  return { state: { ...requested, readAt: now }, retryAt: now };
}

function nextReadTime(requestedAt: number, readAt: number): number {
  const scheduled = shopifyLimits.refundSyncScheduleMs.map((ms) => requestedAt + ms).find((at) => at > readAt);
  return scheduled ?? readAt + shopifyLimits.refundSyncEveryMs;
}

/** The payment that paid the payment session. Its duplicates are refunded automatically or by the operator. */
export async function findPaymentOf(
  { sessions, ledger }: Pick<ModificationContext, "sessions" | "ledger">,
  shop: string,
  state: ModificationTask,
): Promise<Payment | null> {
  const { paymentId, test } = state;
  const session = await sessions.find(shop, `gid://shopify/PaymentSession/${paymentId}`);
  if (!session || session.test !== test) return null;
  const payments = await ledger.paymentsOfOrder({ storeId: shop, orderId: session.group });
  const ofSession = payments.filter(({ attempt }) => attempt === session.gid);
  return await paymentOfRefund(ledger, ofSession, shopRefundKey(state.id));
}

function exactAmount({ amount, currency }: ModificationTask): Money | null {
  try {
    return amount === null || currency === null ? null : parseMoney(amount, currency);
  } catch {
    return null;
  }
}

function reject(reason: RejectionReason, decideAt: string | null = null): Decision {
  return { result: { kind: "reject", reason, decideAt, attempts: 0 } };
}
