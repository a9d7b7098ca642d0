import type { Change } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { hearDelivery } from "./deliveries.ts";
import { putDispute } from "./disputes.ts";
import { addJobs, finishJobs, retryJob } from "./jobs.ts";
import { holdsNewestFence } from "./order-locks.ts";
import { findPayment, putPayment } from "./payments.ts";
import { putRefund } from "./refunds.ts";
import { Refused } from "./refused.ts";
import type { LedgerSchema, Session } from "./schema.ts";
import { tell } from "./story.ts";

/** The one writer of payments: everything of a change in one transaction, or nothing. */
export async function commitChange(
  database: Database<LedgerSchema>,
  change: Change,
): Promise<"done" | "stale" | "taken"> {
  try {
    await database.transaction((session) => apply(session, change));
    return "done";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.answer === "taken" && (await isStale(database, change)) ? "stale" : error.answer;
  }
}

// PostgreSQL may notice that two add the same payment at once by another unique rule than that of its id.
async function isStale({ db }: Database<LedgerSchema>, { payment }: Change): Promise<boolean> {
  return payment?.expect === "new" && (await findPayment(db, { id: payment.next.id })) !== null;
}

async function apply(session: Session, change: Change): Promise<void> {
  if (change.fence && !(await holdsNewestFence(session, change.fence))) throw new Refused("stale");
  if (change.payment) await putPayment(session, change.payment);
  for (const refund of change.refunds ?? []) await putRefund(session, refund);
  for (const dispute of change.disputes ?? []) await putDispute(session, dispute);
  if (change.jobs?.length) await addJobs(session, change.jobs);
  for (const retried of change.retried ?? []) await retryJob(session, retried);
  if (change.finished?.length) await finishJobs(session, change.finished);
  for (const heard of change.processed ?? []) await hearDelivery(session, heard);
  if (change.timeline.length > 0) await tell(session, change.timeline);
}
