import type { Engine, Payment } from "@tillkit/core";

/** Stores the event's id in the payment's timeline. Returns false if the id was stored before. */
export async function markProcessed(engine: Engine, payment: Payment, eventId: string): Promise<boolean> {
  if (await isProcessed(engine, payment, eventId)) return false;
  const entry = {
    paymentId: payment.id,
    at: engine.clock.now(),
    actor: "webhook",
    kind: "processed",
    detail: eventId,
  } as const;
  await engine.ledger.commit({ timeline: [entry] });
  return true;
}

export async function isProcessed({ ledger }: Engine, { id }: Payment, eventId: string): Promise<boolean> {
  return (await ledger.timeline({ paymentId: id })).some(
    ({ kind, detail }) => kind === "processed" && detail === eventId,
  );
}
