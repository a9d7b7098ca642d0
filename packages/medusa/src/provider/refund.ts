import type { RefundPaymentInput, RefundPaymentOutput } from "@medusajs/framework/types";
import {
  amountPaid,
  type Money,
  type Payment,
  type Refund,
  refundableAmount,
  refundPayment,
  syncRefunds,
} from "@tillkit/core";
import { isRecordOnly } from "../adapter/record-only-refund.ts";
import { userError } from "../errors/user-error.ts";
import { pluginLimits } from "../limits.ts";
import { findUnshownRefund, refundKeyOf, refundsOfAmount, showInRow, shownInRowSince } from "../refunds/refund-rows.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { toMoney } from "../store/amounts.ts";
import { toPaymentData } from "./payment-data.ts";

/**
 * Refunds exactly the amount that Medusa requests, once per request. A refund whose answer was lost is looked up before
 * another one is sent; when it was made after all, the row of the new request shows it. A second click on a refund that
 * Medusa already shows is rejected.
 * @throws Error with a text for the person who clicked
 */
export async function refund(
  runtime: CheckoutRuntime,
  payment: Payment,
  input: RefundPaymentInput,
): Promise<RefundPaymentOutput> {
  if (isRecordOnly(payment.id)) return { data: toPaymentData(payment) };
  return await runtime.refundMutex.runExclusive(payment.id, async () => {
    const requested = toMoney(input.amount, payment.amountDue.currency);
    const amount = await capToAmountReceived(runtime, payment, requested);
    if (amount === null) return { data: toPaymentData(payment) };
    const row = input.context?.idempotency_key ?? runtime.engine.random.uuid();
    const sent = await refundOnce(runtime, payment, amount, row);
    const ended = await waitWhilePending(runtime, sent);
    runtime.debug("refund.answered", { paymentId: payment.id, key: sent.key, state: ended.state });
    assertRefundAccepted(ended);
    return { data: toPaymentData(payment) };
  });
}

// Medusa counts the amount due as paid. When the owner accepted a smaller payment, a refund of everything that Medusa still
// counts becomes a refund of everything that is left, or null when nothing is left: otherwise such an order could never be
// canceled. Any other amount is not changed.
async function capToAmountReceived(
  runtime: CheckoutRuntime,
  payment: Payment,
  requested: Money,
): Promise<Money | null> {
  const refundable = refundableAmount(payment, await runtime.ledger.refunds(payment.id)).minor;
  const neverReceived = payment.amountDue.minor - amountPaid(payment).minor;
  if (requested.minor === 0 || requested.minor !== refundable + neverReceived) return requested;
  const minor = Math.min(requested.minor, refundable);
  return minor > 0 ? { ...requested, minor } : null;
}

async function refundOnce(runtime: CheckoutRuntime, payment: Payment, amount: Money, row: string): Promise<Refund> {
  const key = refundKeyOf(row);
  const ofSameAmount = await refundsOfAmount(runtime, payment, amount);
  const isNew = !ofSameAmount.some((refund) => refund.key === key);
  const unshown = isNew ? await findUnshownRefund(runtime, ofSameAmount) : null;
  if (isNew && !unshown) await rejectDoubleClick(runtime, payment, amount, ofSameAmount);
  const request = { paymentId: payment.id, key, amount, origin: "store" } as const;
  const sent = unshown ?? (await refundPayment(runtime.engine, request));
  // Under another key, `sent` is the earlier refund that no row has shown. This row shows it from now on; when another row was
  // faster, this is a second click.
  if (sent.key !== key && !(await showInRow(runtime, sent, row))) throw userError("refundInProgress");
  return sent;
}

/** `pending` counts as accepted: if it fails later, the owner is notified. Null means that nothing was left to refund. */
export function assertRefundAccepted(refund: Refund | null): void {
  if (refund === null || refund.state === "completed" || refund.state === "pending") return;
  throw userError(refund.state === "failed" ? "refundRefused" : "refundUnknown");
}

/** Most pending refunds end within seconds, and Medusa has no state for a refund in progress. */
export async function waitWhilePending(runtime: CheckoutRuntime, sent: Refund): Promise<Refund> {
  const { clock } = runtime.engine;
  const giveUpAt = clock.now() + pluginLimits.refundWaitMs;
  let refund = sent;
  while (refund.state === "pending" && clock.now() < giveUpAt) {
    await clock.sleep(pluginLimits.refundPollMs);
    const known = await syncRefunds(runtime.engine, refund.paymentId).catch(() => []);
    refund = known.find(({ key }) => key === sent.key) ?? refund;
  }
  return refund;
}

// Two clicks are two rows in Medusa, with two keys and the same amount within seconds.
async function rejectDoubleClick(
  runtime: CheckoutRuntime,
  { id }: Payment,
  amount: Money,
  ofSameAmount: readonly Refund[],
): Promise<void> {
  if (ofSameAmount.length === 0) return;
  const since = runtime.engine.clock.now() - pluginLimits.doubleClickMs;
  const detail = `${amount.minor} ${amount.currency}`;
  const timeline = await runtime.ledger.timeline({ paymentId: id });
  const requestedAt = timeline
    .filter((entry) => entry.kind === "refund_requested" && entry.detail === detail)
    .map(({ at }) => at);
  const shownAt = await Promise.all(ofSameAmount.map((refund) => shownInRowSince(runtime, refund)));
  if (![...requestedAt, ...shownAt].some((at) => at !== null && at > since)) return;
  throw userError("refundRepeated");
}
