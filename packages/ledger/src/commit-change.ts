import type { Change } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { RejectedChange } from "./database/rejected-change.ts";
import type { LedgerSchema, Session } from "./database/schema.ts";
import { markProcessed } from "./deliveries/deliveries.ts";
import { addJobs, finishJobs, retryJob } from "./jobs/jobs.ts";
import { upsertDispute } from "./payments/disputes.ts";
import { holdsNewestFence } from "./payments/order-locks.ts";
import { findPayment, writePayment } from "./payments/payments.ts";
import { upsertRefund } from "./payments/refunds.ts";
import { appendTimeline } from "./payments/timeline.ts";
import { recordEventOfPayment, recordTimeOfOrder, upsertTransaction } from "./payments/transactions.ts";
import type { Engine } from "./view/payment-search.ts";
import { lockPayments, writeSumsOf } from "./view/payment-sums.ts";

/** The only writer of payments. One transaction applies the whole change or nothing of it. */
export async function commitChange(
  database: Database<LedgerSchema>,
  change: Change,
): Promise<"done" | "stale" | "taken"> {
  try {
    await database.transaction((session) => applyChange(session, database.engine, change));
    return "done";
  } catch (error) {
    if (!(error instanceof RejectedChange)) throw error;
    if (await isInsertOfStoredPayment(database, change)) return "stale";
    return error.reason;
  }
}

// When two processes insert the same payment, PostgreSQL may report `taken` for another unique index before it compares the ids.
async function isInsertOfStoredPayment({ db }: Database<LedgerSchema>, { payment }: Change): Promise<boolean> {
  return payment?.expect === "new" && (await findPayment(db, { id: payment.next.id })) !== null;
}

async function writeMovements(
  session: Session,
  { transactions = [], refunds = [], disputes = [] }: Change,
): Promise<void> {
  for (const transaction of transactions) await upsertTransaction(session, transaction);
  for (const refund of refunds) await upsertRefund(session, refund);
  for (const dispute of disputes) await upsertDispute(session, dispute);
}

async function applyChange(session: Session, engine: Engine, change: Change): Promise<void> {
  if (change.fence && !(await holdsNewestFence(session, change.fence))) throw new RejectedChange("stale");
  if (change.payment) await writePayment(session, change.payment);
  await lockPayments(session, engine, change);
  await writeMovements(session, change);
  await writeSumsOf(session, change);
  if (change.jobs?.length) await addJobs(session, change.jobs);
  for (const retry of change.retried ?? []) await retryJob(session, retry);
  if (change.finished?.length) await finishJobs(session, change.finished);
  for (const delivery of change.processed ?? []) {
    await markProcessed(session, delivery);
    await recordEventOfPayment(session, delivery);
  }
  if (change.timeline.length > 0) await appendTimeline(session, change.timeline);
  await recordTimeOfOrder(session, change);
}
