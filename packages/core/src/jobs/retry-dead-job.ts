import type { JobError } from "../domain/job.ts";
import type { Engine } from "../engine.ts";

const RETRIED: JobError = { code: "retried", message: "A person asked for another attempt." };

/** Makes a dead-letter job due again with zero attempts. A job that no longer exists is ignored. */
export async function retryDeadJob(engine: Pick<Engine, "ledger" | "clock">, jobId: string): Promise<void> {
  const retry = { id: jobId, dueAt: engine.clock.now(), error: RETRIED, resetAttempts: true };
  await engine.ledger.commit({ retried: [retry], timeline: [] });
}
