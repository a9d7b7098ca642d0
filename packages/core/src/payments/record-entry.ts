import { type EntryFacts, hasEntry, type TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";

type Actor = TimelineEntry["actor"];

/** Adds one timeline entry. */
export async function recordEntry(engine: Engine, paymentId: string, actor: Actor, facts: EntryFacts): Promise<void> {
  await engine.ledger.commit({ timeline: [{ paymentId, at: engine.clock.now(), actor, ...facts }] });
}

/** Adds what an event of the service reports, unless the timeline has these facts. */
export async function recordNews(engine: Engine, paymentId: string, facts: EntryFacts): Promise<void> {
  const timeline = await engine.ledger.timeline({ paymentId });
  if (!hasEntry(timeline, facts)) await recordEntry(engine, paymentId, "webhook", facts);
}
