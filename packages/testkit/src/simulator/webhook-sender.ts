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

/** How long the service waits for an answer, and between its tries. */
const DELIVERY_TIMEOUT_MS = 4 * SECOND;
const RETRY_DELAYS_MS = [5, 10, 20, 40].map((seconds) => seconds * SECOND);

/** What happened to a session, as the service tells it: bare, or without naming anything. */
export function sendEvent(world: SimulationWorld, event: string, session: SimulatedSession): void {
  const { random, hazards } = world;
  const data = happens(random, hazards.webhooks.withoutIds) ? {} : eventData(session, random);
  send(world, event, data, session.key);
}

export function sendRefundEvent(world: SimulationWorld, { session, id, status }: SimulatedRefund): void {
  const event = { pending: "REFUND_CREATED", completed: "REFUND_COMPLETED", failed: "REFUND_FAILED" }[status];
  send(world, event, { refund_id: id, transaction_id: transactionOf(session), status }, session.key);
}

/** Lost, repeated, late, out of order; with a forged or foreign one beside it. */
function send(world: SimulationWorld, event: string, data: object, paymentId: string): void {
  const { random, hazards, clock } = world;
  const { lost, copies, freshIds, lateMs } = hazards.webhooks;
  const first = eventBody(world, event, data);
  for (let copy = 0; copy < copies; copy += 1) {
    const bytes = freshIds ? eventBody(world, event, data) : first;
    const webhook = signed(world, { event, bytes, paymentId });
    if (happens(random, lost)) continue;
    clock.setTimer(1 + randomMs(random, lateMs), () => void deliver(world, webhook));
  }
  for (const webhook of forgedAndUnrelated(world, { event, bytes: first, data, paymentId })) {
    clock.setTimer(1 + randomMs(random, lateMs), () => void deliver(world, webhook));
  }
}

/** One delivery: tried again while nobody answers, as the service does; a refusal is final. */
async function deliver(world: SimulationWorld, webhook: SimulatedWebhook): Promise<void> {
  for (const wait of [...RETRY_DELAYS_MS, null]) {
    const status = await deliverOnce(world, webhook);
    if (status !== null && status < 500) return;
    if (wait !== null) await world.clock.sleep(wait);
  }
}

export async function deliverOnce(world: SimulationWorld, webhook: SimulatedWebhook): Promise<number | null> {
  const process = anyAlive(world);
  const { incoming, genuine, paymentId } = webhook;
  const at = world.clock.now();
  const answer =
    process && (await withTimeout(world, DELIVERY_TIMEOUT_MS, process.app.receive(incoming)).catch(() => null));
  const status = answer?.status ?? null;
  world.webhooks.push({ at, status, genuine, stored: false, paymentId, webhook });
  if (status === 200 || status === null)
    increment(world.tallies.signals, hasIdentifier(webhook) ? (paymentId ?? "") : "");
  addHistory(world, `webhook ${webhook.event} of ${paymentId ?? "nobody"} → ${status ?? "no answer"}`);
  return status;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The same event once more with an id of its own, as the service sends it at a retry. */
export function withFreshId(world: SimulationWorld, webhook: SimulatedWebhook): SimulatedWebhook {
  const { data } = JSON.parse(new TextDecoder().decode(webhook.incoming.bytes)) as { data: object };
  const { event, paymentId } = webhook;
  return signed(world, { event, bytes: eventBody(world, event, data), paymentId: paymentId ?? "" });
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

/** A shopper whom every event names, so that it shows where one is repeated. */
export const PERSONAL_DATA = { email: "awa.ndiaye@example.org", phone: "+221 77 123 45 67" } as const;

type EventBody = { readonly event: string; readonly bytes: Uint8Array; readonly paymentId: string };

function signed(world: SimulationWorld, { event, bytes, paymentId }: EventBody): SimulatedWebhook {
  const signature = signWebhook(bytes, world.secrets[0] ?? "");
  return { incoming: { endpointId: "main", bytes, signature, event }, genuine: true, paymentId, event };
}

function forgedAndUnrelated(
  world: SimulationWorld,
  { event, bytes, data, paymentId }: EventBody & { readonly data: object },
): SimulatedWebhook[] {
  const { random, hazards } = world;
  const found: SimulatedWebhook[] = [];
  if (happens(random, hazards.webhooks.forged)) {
    const claim = eventBody(world, "PAYMENT_SUCCEEDED", data);
    const real = signWebhook(bytes, world.secrets[0] ?? "");
    const signature = pick(random, [signWebhook(claim, "whsec_guessed"), real, "", real.toUpperCase().slice(1)]);
    const incoming = { endpointId: "main", bytes: claim, signature, event };
    found.push({ incoming, genuine: false, paymentId, event: "forged" });
  }
  if (happens(random, hazards.webhooks.unrelated)) {
    const other = pick<object>(random, [
      { checkout_session_id: "cs_of_another_channel" },
      { ...data, environment: "live" },
      { metadata: { tillkit_reference: "of-another.shop" } },
      { metadata: { order_id: "1041" } },
    ]);
    const named = "environment" in other ? paymentId : "";
    found.push({
      ...signed(world, { event, bytes: eventBody(world, event, other), paymentId: named }),
      event: "unrelated",
    });
  }
  return found;
}

// An event that names no payment can lead to every open one.
function hasIdentifier({ incoming }: SimulatedWebhook): boolean {
  const text = new TextDecoder().decode(incoming.bytes);
  return text.includes("cs_") || text.includes("tillkit_reference") || text.includes("tx_");
}

/** The secret changes while events are under way: for a while both count. */
export async function rotateSecrets(world: SimulationWorld): Promise<void> {
  const { clock, random } = world;
  if (!world.hazards.rotates) return;
  await clock.sleep(randomMs(random, 30 * MINUTE));
  if (!areFaultsActive(world)) return;
  world.secrets = ["whsec_of_the_simulation_2", ...world.secrets];
  world.referenceKeys = ["the second reference key of the simulation", ...world.referenceKeys];
  addHistory(world, "the webhook secret and the reference key are new");
}
