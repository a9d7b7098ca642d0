import type { Engine } from "../engine.ts";

/** Adds one timeline entry about an event of the service. `detail` is free of personal data. */
export async function recordEventEntry(engine: Engine, paymentId: string, kind: string, detail: string): Promise<void> {
  const entry = { paymentId, at: engine.clock.now(), actor: "webhook", kind, detail } as const;
  await engine.ledger.commit({ timeline: [entry] });
}
