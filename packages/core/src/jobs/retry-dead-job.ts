import type { Engine } from "../engine.ts";

/** Gives work that was given up another go, as if it were new. One that was done or erased meanwhile is passed over. */
export async function retryDeadJob(engine: Pick<Engine, "ledger" | "clock">, jobId: string): Promise<void> {
  const again = { id: jobId, dueAt: engine.clock.now(), error: "replayed", anew: true };
  await engine.ledger.commit({ retried: [again], timeline: [] });
}
