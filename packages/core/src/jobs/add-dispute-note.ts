import { disputeNoteKey } from "../disputes/apply-dispute-event.ts";
import { explainDispute } from "../disputes/dispute-texts.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { DisputeNoteKey } from "../domain/job-task.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { readOrder } from "../stores/call-store.ts";
import type { JobResult } from "./job-result.ts";
import { writeUnderLease } from "./write-under-lease.ts";

/** Adds a note about a dispute to the order if the dispute still has the status in `noteKey`. */
export async function addDisputeNote(engine: Engine, payment: Payment, noteKey: DisputeNoteKey): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  const dispute = await findDispute(engine, payment, noteKey);
  if (!dispute || !store.addNote) return "done";
  const order = await readOrder(engine, payment);
  const text = explainDispute(dispute, order?.language ?? "en");
  const stillApplies = async (current: Payment) => (await findDispute(engine, current, noteKey)) !== undefined;
  return await writeUnderLease(engine, payment, "addNote", stillApplies, async () =>
    store.addNote?.(payment.ref, noteKey, text),
  );
}

async function findDispute({ ledger }: Engine, { id }: Payment, noteKey: DisputeNoteKey): Promise<Dispute | undefined> {
  const disputes = await ledger.disputes(id);
  return disputes.find((known) => [disputeNoteKey(known), disputeNoteKey(known, "changed")].includes(noteKey));
}
