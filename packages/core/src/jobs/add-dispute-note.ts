import { isNoteOf } from "../disputes/apply-dispute-event.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { readOrder } from "../stores/call-store.ts";
import { explainDispute } from "../texts/dispute-texts.ts";
import type { JobResult } from "./job-result.ts";
import { writeUnderLease } from "./write-under-lease.ts";

/** Adds a note about a dispute to the order if the dispute still has the status in `key`. */
export async function addDisputeNote(engine: Engine, payment: Payment, key: string): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  const dispute = await findDispute(engine, payment, key);
  if (!dispute || !store.addNote) return "done";
  const order = await readOrder(engine, payment);
  const text = explainDispute(dispute, order?.language ?? "en", { now: engine.clock.now() });
  const stillApplies = async (current: Payment) => (await findDispute(engine, current, key)) !== undefined;
  return await writeUnderLease(engine, payment, "addNote", stillApplies, async () =>
    store.addNote?.(payment.ref, `dispute:${key}`, text),
  );
}

async function findDispute({ ledger }: Engine, { id }: Payment, key: string): Promise<Dispute | undefined> {
  return (await ledger.disputes(id)).find((known) => isNoteOf(known, key));
}
