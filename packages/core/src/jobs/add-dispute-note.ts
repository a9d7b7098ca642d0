import { disputeNoteKey } from "../disputes/apply-dispute-event.ts";
import { explainDispute } from "../disputes/dispute-texts.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { callStore, readOrder } from "../stores/call-store.ts";
import type { JobResult } from "./job-result.ts";

/** A note for the order about a dispute that still has this status; `what` is the key of the note, `dispute:ID:STATUS`. */
export async function addDisputeNote(engine: Engine, payment: Payment, what: string): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  const disputes = await engine.ledger.disputes(payment.id);
  const dispute = disputes.find((one) => disputeNoteKey(one) === what);
  if (!dispute || !store.addNote) return "done";
  const order = await readOrder(engine, payment);
  const text = explainDispute(dispute, order?.language ?? "en");
  await callStore(engine, payment, async () => store.addNote?.(payment.ref, what, text));
  return "done";
}
