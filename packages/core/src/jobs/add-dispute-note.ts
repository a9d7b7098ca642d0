import { disputeNoteKey } from "../disputes/apply-dispute-event.ts";
import { explainDispute } from "../disputes/dispute-texts.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { callStore, readOrder } from "../stores/call-store.ts";
import type { JobResult } from "./job-result.ts";

/** Adds a note about a dispute to the order if the dispute still has the status in `noteKey`, which is `dispute:ID:STATUS` or `dispute:ID:STATUS:OUTCOME`. */
export async function addDisputeNote(engine: Engine, payment: Payment, noteKey: string): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  const disputes = await engine.ledger.disputes(payment.id);
  const dispute = disputes.find((known) => [disputeNoteKey(known), disputeNoteKey(known, "changed")].includes(noteKey));
  if (!dispute || !store.addNote) return "done";
  const order = await readOrder(engine, payment);
  const text = explainDispute(dispute, order?.language ?? "en");
  await callStore(engine, payment, async () => store.addNote?.(payment.ref, noteKey, text));
  return "done";
}
