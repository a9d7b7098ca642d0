import type { HostDecision } from "../back-office/decision.ts";
import { changedMeanwhile } from "../domain/checkout-error.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import { safeText } from "../domain/safe-text.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { StoreRefunds } from "../ports/store-refunds.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import { answerStore } from "./answer-store.ts";
import { type FailedStoreRefund, findFailedRefunds, SETTLED_KIND } from "./failed-refunds.ts";
import type { StoreRefundHost } from "./request-refund.ts";
import { nextTryOf } from "./shown-refund.ts";

type Host = StoreRefundHost & { readonly ledger: Pick<Ledger, "refunds" | "records" | "find" | "commit"> };

/**
 * Sends a new refund in place of one that failed after the store had shown it, with the same amount. The row of the failed refund then shows the
 * new one. Repeated calls send one refund; a call after another failure sends the next.
 *
 * @param key the key of the failed refund
 * @throws CheckoutError `ledger_busy` when the payment is not as the person saw it; as `refundPayment` does
 */
export async function sendRefundAgain(
  host: Host,
  store: StoreRefunds,
  payment: Payment,
  key: string,
  { by, id: decision, stillApplies }: HostDecision,
): Promise<Refund> {
  // Read before the failed refund is looked up: a try that somebody else sends in between gets the same number here.
  const known = await host.ledger.refunds(payment.id);
  const { row, refund } = await failedRefund(host, store, payment, key);
  if (row === null) throw changedMeanwhile();
  const sent = await refundPayment(host.engine, {
    paymentId: payment.id,
    // Every earlier try of this row failed, so their number names the next one, in every process.
    key: nextTryOf(row, known),
    amount: refund.amount,
    origin: "store",
    // Another refund of this amount belongs to another row and is another decision.
    reusesKeys: true,
    by,
    decision,
    stillApplies,
  });
  return await answerStore(host, store, payment, sent);
}

/**
 * Takes a failed refund off the list, because its owner settled it outside the service. No money moves. A repeated call changes nothing.
 *
 * @param key the key of the failed refund
 * @param decision `by`: a role or a login; `reason`: in the owner's words
 * @throws CheckoutError `ledger_busy` when the payment is not as the person saw it
 */
export async function settleRefundOutside(
  host: Host,
  store: StoreRefunds,
  { id: paymentId, ref: { storeId } }: Payment,
  key: string,
  { by, id: decision, reason: written, stillApplies }: HostDecision & { readonly reason: string },
): Promise<void> {
  const { ledger, engine } = host;
  const payment = await ledger.find({ id: paymentId });
  if (!payment) throw changedMeanwhile();
  const { row } = await failedRefund(host, store, payment, key);
  if (!(await stillApplies())) throw changedMeanwhile();
  const at = engine.clock.now();
  const reason = safeText(written.trim());
  const record = [storeId, SETTLED_KIND, row ?? key] as const;
  if ((await ledger.records.put(...record, { by, at, reason }, "new")) !== "done") return;
  // Somebody may have sent the refund again since the comparison: then the payment has another version.
  const next = { ...payment, version: payment.version + 1 };
  const entry = { paymentId, at, actor: "operator", kind: "refund_settled", by, reason, decision } as const;
  const answer = await ledger.commit({ payment: { next, expect: payment.version }, timeline: [entry] });
  if (answer === "done") return;
  const stored = await ledger.records.get(...record);
  if (stored) await ledger.records.remove(...record, stored.version);
  throw changedMeanwhile();
}

async function failedRefund(
  { ledger }: Host,
  store: StoreRefunds,
  payment: Payment,
  key: string,
): Promise<FailedStoreRefund> {
  const shown = (await store.list())?.refunds ?? [];
  const failed = (await findFailedRefunds(ledger, payment, shown)).find(({ refund }) => refund.key === key);
  if (!failed) throw changedMeanwhile();
  return failed;
}
