import { isOpenDispute } from "../domain/dispute.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import type { Ledger } from "../ports/ledger.ts";
import { NO_HOST } from "./back-office.ts";
import { isOffered, viewOf } from "./offers.ts";

/**
 * The payments of a store about whose money a person must decide although their state needs no review: a refund is left in doubt, a
 * dispute ended without an outcome, or lost disputes took everything back. Newest first.
 *
 * @param now in milliseconds since 1970
 */
export async function paymentsToDecide(ledger: Ledger, storeId: string, now: number): Promise<readonly Payment[]> {
  const [disputed, doubtful] = await Promise.all([endedDisputes(ledger, now), refundJobs(ledger, storeId)]);
  const found: Payment[] = [];
  for (const id of new Set([...disputed, ...doubtful])) {
    const payment = await ledger.find({ id });
    if (payment?.ref.storeId === storeId && (await mustBeDecided(ledger, payment, now))) found.push(payment);
  }
  return found.sort((left, right) => right.createdAt - left.createdAt);
}

async function mustBeDecided(ledger: Ledger, payment: Payment, now: number): Promise<boolean> {
  const view = viewOf(payment, await gatherMovements(ledger, payment.id), NO_HOST, now);
  return payment.lostToDispute || isOffered(view, "looked") || isOffered(view, "disputeOutcome");
}

// Nobody can end the attention for a lost payment, so it ends by itself. A dispute without an outcome waits for its person.
async function endedDisputes(ledger: Ledger, now: number): Promise<readonly string[]> {
  const { rows } = await ledger.listDisputes({ open: false, limit: limits.disputesToDecide });
  const isRecent = (updatedAt: number) => updatedAt >= now - limits.lostPaymentShownMs;
  return rows
    .filter((dispute) => !isOpenDispute(dispute) && (dispute.outcome === null || isRecent(dispute.updatedAt)))
    .map(({ paymentId }) => paymentId);
}

// A refund without a result keeps its job, which reads the refund again every few minutes.
async function refundJobs(ledger: Ledger, storeId: string): Promise<readonly string[]> {
  const { rows } = await ledger.listJobs({ storeId, kind: "refund", minAttempts: 1, limit: limits.refundJobsToDecide });
  return rows.flatMap(({ paymentId }) => paymentId ?? []);
}
