import type { EntryFacts } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";

/** Adds one timeline entry about an event of the service. */
export async function recordEventEntry(engine: Engine, paymentId: string, facts: EntryFacts): Promise<void> {
  await engine.ledger.commit({ timeline: [{ paymentId, at: engine.clock.now(), actor: "webhook", ...facts }] });
}
