import { limits } from "../domain/limits.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import { closeDispute } from "./disputes.ts";

/**
 * Closes the pending disputes that have no evidence at their deadline: they are lost. Returns the time of the next deadline
 * in milliseconds, Infinity when there is none.
 */
export async function loseDueDisputes(service: Service): Promise<number> {
  for (;;) {
    const now = service.clock.now();
    const withoutEvidence = await service.store.database
      .selectFrom("disputes")
      .select(["dispute_id", "evidence_due_by", "updated_at"])
      .where("status", "=", "pending")
      .where("evidence_submitted_at", "is", null)
      .orderBy("evidence_due_by")
      .limit(limits.dueAtOnce)
      .execute();
    const due = withoutEvidence.filter(({ evidence_due_by }) => evidence_due_by <= now);
    if (due.length === 0) return withoutEvidence[0]?.evidence_due_by ?? Number.POSITIVE_INFINITY;
    await inDatabaseTransaction(service, async (context) => {
      for (const { dispute_id, evidence_due_by, updated_at } of due) {
        // A dispute may be changed after its deadline has passed and before this runs: its times must not go backwards.
        await closeDispute({ ...context, now: Math.max(evidence_due_by, updated_at) }, dispute_id, "lost");
      }
    });
  }
}
