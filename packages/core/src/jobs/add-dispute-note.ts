import { isNoteOf } from "../disputes/apply-dispute-event.ts";
import type { Dispute } from "../domain/dispute.ts";
import type { Language } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { explainDispute } from "../texts/dispute-texts.ts";
import type { JobResult } from "./job-result.ts";
import { noteUnderLease } from "./write-under-lease.ts";

/** Adds a note about a dispute to the order if the dispute still has the status in `key`. */
export async function addDisputeNote(engine: Engine, payment: Payment, key: string): Promise<JobResult> {
  const dispute = await findDispute(engine, payment, key);
  if (!dispute) return "done";
  const explain = (language: Language) => explainDispute(dispute, language, { now: engine.clock.now() });
  const stillApplies = async (current: Payment) => (await findDispute(engine, current, key)) !== undefined;
  return await noteUnderLease(engine, payment, { key: `dispute:${key}`, explain, stillApplies });
}

async function findDispute({ ledger }: Engine, { id }: Payment, key: string): Promise<Dispute | undefined> {
  return (await ledger.disputes(id)).find((known) => isNoteOf(known, key));
}
