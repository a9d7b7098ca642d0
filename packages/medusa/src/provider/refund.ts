import type { RefundPaymentInput, RefundPaymentOutput } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { formatMoney, type Money, type Payment } from "@tillkit/core";
import { requestStoreRefund, type StoreRefundAnswer } from "@tillkit/core/store-refunds";
import { notifyOwner } from "../adapter/admin-notifications.ts";
import { noticeTexts } from "../adapter/notice-texts.ts";
import { isRecordOnly } from "../adapter/record-only-refund.ts";
import { isWriteTooLate } from "../adapter/write-in-time.ts";
import { refusalError } from "../errors/refusal.ts";
import { noteForAttention } from "../refunds/attention-list.ts";
import { refundKeyOf, storeRefundsOf } from "../refunds/shown-refunds.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { toMoney } from "../store/amounts.ts";
import { paidByOf } from "../store/paid-by.ts";
import { readCollection } from "../store/payment-collection.ts";
import { toPaymentData } from "./payment-data.ts";

/**
 * Refunds what Medusa requests, once per request.
 * @throws MedusaError with a text for the person who clicked. Medusa then removes the row of the refund again
 */
export async function refund(
  runtime: CheckoutRuntime,
  payment: Payment,
  { amount, context, data }: RefundPaymentInput,
): Promise<RefundPaymentOutput> {
  if (isRecordOnly(payment.id) && isWriteTooLate())
    throw new MedusaError(MedusaError.Types.CONFLICT, "It is too late to record this refund.");
  if (isRecordOnly(payment.id)) return { data: toPaymentData(payment, data?.paid_with) };
  const { clock, random } = runtime.engine;
  // Before the wait for an earlier click, which takes as long as the service.
  const askedAt = clock.now();
  return await runtime.refundMutex.runExclusive(payment.id, async () => {
    // Medusa's id of the refund's row in its database.
    const key = refundKeyOf(context?.idempotency_key ?? random.uuid());
    const request = { key, amount: toMoney(amount, payment.amountDue.currency), askedAt };
    const isUnplaced = payment.state !== "recorded" && !(await isShownAsPaid(runtime, payment));
    const answer = await requestStoreRefund(runtime, storeRefundsOf(runtime, payment, key), payment, request);
    runtime.debug("refund.answered", { paymentId: payment.id, key, answer: answer.kind });
    // Medusa shows a refund of what never arrived, and nothing is sent: otherwise such an order could never be canceled. Its owner reads that.
    if (answer.kind === "refused" && answer.why.kind === "never_arrived") await tellNothingSent(runtime, request);
    else assertAccepted(runtime, payment, answer);
    // Medusa gives the cart up. Its workflow may die meanwhile and leave the order behind, so the admin page looks for one later.
    if (isUnplaced) await noteForAttention(runtime, payment.id, { isUnplaced: true });
    return { data: toPaymentData(payment, data?.paid_with) };
  });
}

async function tellNothingSent(
  { container, log, options: { language } }: CheckoutRuntime,
  { key, amount }: { readonly key: string; readonly amount: Money },
): Promise<void> {
  const { paymentNoteTitle: title, nothingSent } = noticeTexts(language);
  await notifyOwner(container, log, {
    key: `refund:nothing-sent:${key}`,
    title,
    text: nothingSent(formatMoney(amount, language)),
  });
}

async function isShownAsPaid({ container }: CheckoutRuntime, payment: Payment): Promise<boolean> {
  const collection = await readCollection(container, payment.ref.orderId);
  return collection !== null && paidByOf(collection) === payment.id;
}

/**
 * `pending` counts as accepted: if it fails later, the owner is notified.
 * @throws MedusaError with a text for the person who clicked
 */
export function assertAccepted(runtime: CheckoutRuntime, payment: Payment, answer: StoreRefundAnswer): void {
  if (answer.kind === "unknown") throw refusalError(runtime, payment, { kind: "refund_unknown" });
  if (answer.kind === "refused") throw refusalError(runtime, payment, answer.why);
}
