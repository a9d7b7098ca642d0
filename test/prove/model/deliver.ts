import { createHash } from "node:crypto";
import { receiveWebhook } from "@tillkit/core";
import { bytesOf, type ModelEvent, namesPayment, provesPayment, signatureOf } from "./events.ts";
import { engineOf, type ModelFixture } from "./fixture.ts";
import type { DeliveryVariant, StepOf } from "./steps.ts";

/** The service delivers an event, or somebody else something that looks like it. */
export async function deliver(fixture: ModelFixture, event: ModelEvent, step: StepOf<"deliver">): Promise<void> {
  const { as, by } = step;
  const { recorder, service, clock } = fixture;
  const { bytes, signature, isIntact, secret } = bodyOf(event, as);
  const digest = createHash("sha256").update(bytes).digest("hex");
  const isStored = async () => (await fixture.ledger.delivery("main", digest)) !== null;
  const names = as !== "thin" && namesPayment(event, bytes, service.traits);
  const paymentId = names ? (event.transaction.session?.key ?? null) : null;
  for (let copy = 0; copy < (as === "twice" ? 2 : 1); copy += 1) {
    recorder.signal(paymentId);
    const genuine = isIntact && service.secrets().includes(secret);
    const at = clock.now();
    if (genuine) service.deliveryLog.push({ at, payload: JSON.parse(new TextDecoder().decode(bytes)) });
    const isNew = recorder.restoredAt === null || !(await isStored());
    const { status } = await receiveWebhook(engineOf(fixture, by), { endpointId: "main", bytes, signature });
    const stored = await isStored();
    const reportsSuccess = event.name === "PAYMENT_SUCCEEDED";
    recorder.webhooks.push({ at: clock.now(), status, genuine, stored, paymentId, reportsSuccess });
    if (status === 200 && isNew && genuine) recordProof(fixture, event, bytes);
  }
}

function bodyOf(event: ModelEvent, as: DeliveryVariant) {
  const signed = bytesOf(event, { id: as === "fresh id" ? "again" : "first", withoutIds: as === "thin" });
  const secret = as === "forged" ? "whsec_of_a_thief" : event.secret;
  const isIntact = as !== "tampered";
  const bytes = isIntact ? signed : signed.with(signed.length - 3, 0x20);
  return { bytes, signature: signatureOf(signed, secret), isIntact, secret };
}

/** What a ledger must know from now on, even if it had forgotten the payment. */
function recordProof({ recorder, service }: ModelFixture, event: ModelEvent, bytes: Uint8Array): void {
  const paymentId = event.transaction.session?.key;
  if (paymentId === undefined || !provesPayment(event, bytes, service.traits)) return;
  if (recorder.restoredAt !== null) recorder.remembered.add(paymentId);
  if (event.disputeId !== undefined) recorder.reports.push({ kind: "dispute", id: event.disputeId, paymentId });
  if (event.refundId !== undefined) recorder.reports.push({ kind: "refund", id: event.refundId, paymentId });
}
