import type { Engine, Payment } from "@tillkit/core";

/** Stores the event's id in the payment's timeline. Returns false if the id was stored before. */
export async function markProcessed(engine: Engine, payment: Payment, eventId: string): Promise<boolean> {
  if (await isProcessed(engine, payment, eventId)) return false;
  const at = engine.clock.now();
  const entry = { paymentId: payment.id, at, actor: "webhook", kind: "orphan", event: eventId } as const;
  await engine.ledger.commit({ timeline: [entry] });
  return true;
}

export async function isProcessed({ ledger }: Engine, { id }: Payment, eventId: string): Promise<boolean> {
  return (await ledger.timeline({ paymentId: id })).some((entry) => entry.kind === "orphan" && entry.event === eventId);
}
