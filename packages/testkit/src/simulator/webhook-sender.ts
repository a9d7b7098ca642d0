import { createHash } from "node:crypto";
import { signWebhook } from "@tillkit/client/webhooks";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { type SimulatedRefund, type SimulatedSession, transactionOf } from "./service-readings.ts";
import {
  addHistory,
  anyAlive,
  areFaultsActive,
  increment,
  MINUTE,
  SECOND,
  type SimulatedWebhook,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";

/** How long the service waits for an answer, and the delays between its delivery attempts. */
const DELIVERY_TIMEOUT_MS = 4 * SECOND;
const RETRY_DELAYS_MS = [5, 10, 20, 40].map((seconds) => seconds * SECOND);

/** Sends an event about a session. Some hazards leave out the identifiers of the session. */
export function sendEvent(world: SimulationWorld, event: string, session: SimulatedSession): void {
  const { random, hazards } = world;
  const data = happens(random, hazards.webhooks.withoutIds) ? {} : eventData(session, random);
  send(world, event, data, session.key);
}

export function sendRefundEvent(world: SimulationWorld, { session, id, status }: SimulatedRefund): void {
  const event = { pending: "REFUND_CREATED", completed: "REFUND_COMPLETED", failed: "REFUND_FAILED" }[status];
  send(world, event, { refund_id: id, transaction_id: transactionOf(session), status }, session.key);
}

/** Sends an event that may be lost, repeated, late or out of order, together with forged and unrelated events. */
function send(world: SimulationWorld, event: string, data: object, paymentId: string): void {
  const { random, hazards, clock } = world;
  const { lost, copies, freshIds, lateMs } = hazards.webhooks;
  const first = eventBody(world, event, data);
  for (let copy = 0; copy < copies; copy += 1) {
    const bytes = freshIds ? eventBody(world, event, data) : first;
    const webhook = signedWebhook(world, { event, bytes, paymentId });
    if (happens(random, lost)) continue;
    clock.setTimer(1 + randomMs(random, lateMs), () => void deliver(world, webhook));
  }
  for (const webhook of forgedAndUnrelated(world, { event, bytes: first, data, paymentId })) {
    clock.setTimer(1 + randomMs(random, lateMs), () => void deliver(world, webhook));
  }
}

/** Retries one delivery like the service: while no answer arrives or the answer is 5xx. A 4xx answer is final. */
async function deliver(world: SimulationWorld, webhook: SimulatedWebhook): Promise<void> {
  for (const delayMs of RETRY_DELAYS_MS) {
    const status = await deliverOnce(world, webhook);
    if (status !== null && status < 500) return;
    await world.clock.sleep(delayMs);
  }
  await deliverOnce(world, webhook);
}

export async function deliverOnce(world: SimulationWorld, webhook: SimulatedWebhook): Promise<number | null> {
  const process = anyAlive(world);
  const { incoming, genuine, paymentId } = webhook;
  const at = world.clock.now();
  const answer =
    process && (await withTimeout(world, DELIVERY_TIMEOUT_MS, process.app.receive(incoming)).catch(() => null));
  const status = answer?.status ?? null;
  world.webhooks.push({ at, status, genuine, stored: false, paymentId, webhook });
  // A delivery without an answer may have been processed.
  if (status === 200 || status === null) {
    increment(world.tallies.signals, hasIdentifier(webhook) ? (paymentId ?? "") : "");
  }
  addHistory(world, `webhook ${webhook.event} of ${paymentId ?? "no payment"} → ${status ?? "no answer"}`);
  return status;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns the same event with a fresh id, as the service sends it in a retry. */
export function withFreshId(world: SimulationWorld, webhook: SimulatedWebhook): SimulatedWebhook {
  const { data } = JSON.parse(new TextDecoder().decode(webhook.incoming.bytes)) as { data: object };
  const { event, paymentId } = webhook;
  return signedWebhook(world, { event, bytes: eventBody(world, event, data), paymentId: paymentId ?? "" });
}

function eventData(session: SimulatedSession, random: SimulationWorld["random"]): object {
  const bySession = { checkout_session_id: session.id, environment: session.paidTerms.environment };
  const byReference = { metadata: session.metadata, transaction_id: transactionOf(session) };
  return pick<object>(random, [bySession, byReference, { ...bySession, ...byReference }]);
}

function eventBody({ random }: SimulationWorld, event: string, data: object): Uint8Array {
  const customer = { customer_email: PERSONAL_DATA.email, customer_phone: PERSONAL_DATA.phone };
  return new TextEncoder().encode(
    JSON.stringify({ id: `evt_${random.uuid()}`, event, data: { ...data, ...customer } }),
  );
}

/** The personal data in every event, so that the privacy invariant notices a leak. */
export const PERSONAL_DATA = { email: "awa.ndiaye@example.org", phone: "+221 77 123 45 67" } as const;

type EventBody = { readonly event: string; readonly bytes: Uint8Array; readonly paymentId: string };

function signedWebhook(world: SimulationWorld, { event, bytes, paymentId }: EventBody): SimulatedWebhook {
  const signature = signWebhook(bytes, world.secrets[0] ?? "");
  return { incoming: { endpointId: "main", bytes, signature, event }, genuine: true, paymentId, event };
}

function forgedAndUnrelated(
  world: SimulationWorld,
  { event, bytes, data, paymentId }: EventBody & { readonly data: object },
): SimulatedWebhook[] {
  const { random, hazards } = world;
  const webhooks: SimulatedWebhook[] = [];
  if (happens(random, hazards.webhooks.forged)) {
    const forgedBytes = eventBody(world, "PAYMENT_SUCCEEDED", data);
    const real = signWebhook(bytes, world.secrets[0] ?? "");
    const signature = pick(random, [signWebhook(forgedBytes, "whsec_guessed"), real, "", real.toUpperCase().slice(1)]);
    const incoming = { endpointId: "main", bytes: forgedBytes, signature, event };
    webhooks.push({ incoming, genuine: false, paymentId, event: "forged" });
  }
  if (happens(random, hazards.webhooks.unrelated)) {
    const unrelatedData = pick<object>(random, [
      { checkout_session_id: "cs_of_another_channel" },
      { ...data, environment: "live" },
      { metadata: { tillkit_reference: "of-another.shop" } },
      { metadata: { order_id: "1041" } },
    ]);
    const namedPaymentId = "environment" in unrelatedData ? paymentId : "";
    webhooks.push({
      ...signedWebhook(world, { event, bytes: eventBody(world, event, unrelatedData), paymentId: namedPaymentId }),
      event: "unrelated",
    });
  }
  return webhooks;
}

// An event without identifiers may be about any open payment.
function hasIdentifier({ incoming }: SimulatedWebhook): boolean {
  const text = new TextDecoder().decode(incoming.bytes);
  return text.includes("cs_") || text.includes("tillkit_reference") || text.includes("tx_");
}

/** Rotates the secrets while events are in flight. The old and the new secret are valid. */
export async function rotateSecrets(world: SimulationWorld): Promise<void> {
  const { clock, random } = world;
  if (!world.hazards.rotates) return;
  await clock.sleep(randomMs(random, 30 * MINUTE));
  if (!areFaultsActive(world)) return;
  world.secrets = ["whsec_of_the_simulation_2", ...world.secrets];
  world.referenceKeys = ["the second reference key of the simulation", ...world.referenceKeys];
  addHistory(world, "the webhook secret and the reference key are new");
}
