import { createHash } from "node:crypto";
import { signWebhook } from "@tillkit/client/webhooks";
import { MINUTE, SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import type { SimulatedDispute } from "./service-disputes.ts";
import {
  nameOf,
  type SimulatedRefund,
  type SimulatedSession,
  type SimulatedTransaction,
  transactionFor,
} from "./service-readings.ts";
import {
  addHistory,
  anyAlive,
  areFaultsActive,
  increment,
  type SimulatedWebhook,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";

/** How long the service waits for an answer, and the delays between its delivery attempts. */
const DELIVERY_TIMEOUT_MS = 4 * SECOND;
const RETRY_DELAYS_MS = [5, 10, 20, 40].map((seconds) => seconds * SECOND);

/** Sends an event about a session. Some hazards leave out the identifiers of the session. */
export function sendEvent(
  world: SimulationWorld,
  event: string,
  session: SimulatedSession,
  named: SimulatedTransaction | null = null,
): void {
  send(world, sessionEvent(world, event, session, named));
}

export function sessionEvent(
  world: SimulationWorld,
  event: string,
  session: SimulatedSession,
  named: SimulatedTransaction | null = null,
): SentEvent {
  const { random, hazards, clock } = world;
  // An event can name the transaction before it is completed.
  const transaction = named ?? session.transactions[0] ?? transactionFor(session, clock.now());
  const isThin = happens(random, hazards.webhooks.withoutIds);
  const data = isThin ? {} : eventData(world, session, transaction);
  return { event, data, paymentId: session.key, transaction };
}

/** Sends an event that names a transaction and nothing else, as the events of other integrations on the same key do. */
export function sendTransactionEvent(world: SimulationWorld, event: string, transaction: SimulatedTransaction): void {
  send(world, transactionEvent(world, event, transaction));
}

export function transactionEvent(
  { hazards }: SimulationWorld,
  event: string,
  transaction: SimulatedTransaction,
): SentEvent {
  const data = { transaction_id: nameOf(transaction, hazards.money.naming) };
  return { event, data, paymentId: transaction.session?.key ?? null, transaction };
}

export function sendRefundEvent(world: SimulationWorld, refund: SimulatedRefund): void {
  send(world, refundEvent(world, refund));
}

export function refundEvent(world: SimulationWorld, { transaction, id, status }: SimulatedRefund): SentEvent {
  const event = { pending: "REFUND_CREATED", completed: "REFUND_COMPLETED", failed: "REFUND_FAILED" }[status];
  const name = nameOf(transaction, world.hazards.money.naming);
  const data = { refund_id: id, transaction_id: name, status, ...metadataAtRandom(world, transaction) };
  return { event, data, paymentId: transaction.session?.key ?? null, transaction, refundId: id };
}

const DISPUTE_STATUS = { open: "pending", won: "resolved", lost: "resolved", closed: "closed" } as const;

/** Sends an event with the present state of a dispute. */
export function sendDisputeEvent(world: SimulationWorld, dispute: SimulatedDispute): void {
  send(world, disputeEvent(world, dispute));
}

export function disputeEvent(world: SimulationWorld, dispute: SimulatedDispute): SentEvent {
  const { id, transaction, amount, currency, state, version } = dispute;
  const openEvent = version === 1 ? "DISPUTE_CREATED" : "DISPUTE_UPDATED";
  const data = {
    dispute_id: id,
    transaction_id: nameOf(transaction, world.hazards.money.naming),
    status: DISPUTE_STATUS[state],
    ...(state === "won" || state === "lost" ? { outcome: state } : {}),
    ...(amount === null ? {} : { amount }),
    currency_code: currency,
    updated_at: new Date(world.clock.now()).toISOString(),
    ...metadataAtRandom(world, transaction),
  };
  const event = state === "open" ? openEvent : "DISPUTE_CLOSED";
  return { event, data, paymentId: transaction.session?.key ?? null, transaction, disputeId: id };
}

function metadataAtRandom(
  { personRandom, hazards }: SimulationWorld,
  { session }: SimulatedTransaction,
): { readonly metadata?: object } {
  const { metadata } = hazards.money;
  return session !== null && metadata > 0 && happens(personRandom, metadata) ? { metadata: session.metadata } : {};
}

export type SentEvent = Pick<SimulatedWebhook, "event" | "paymentId" | "transaction" | "disputeId" | "refundId"> & {
  readonly data: object;
};

/** The signed delivery of an event. */
export function webhookOf(world: SimulationWorld, { data, ...sent }: SentEvent): SimulatedWebhook {
  return signedWebhook(world, { ...sent, bytes: eventBody(world, sent.event, data) });
}

/** Sends an event that may be lost, repeated, late or out of order, together with forged and unrelated events. */
function send(world: SimulationWorld, { data, ...sent }: SentEvent): void {
  const { random, hazards, clock } = world;
  const { lost, copies, freshIds, lateMs } = hazards.webhooks;
  const first = eventBody(world, sent.event, data);
  for (let copy = 0; copy < copies; copy += 1) {
    const bytes = freshIds ? eventBody(world, sent.event, data) : first;
    const webhook = signedWebhook(world, { ...sent, bytes });
    if (happens(random, lost)) continue;
    clock.setTimer(1 + randomMs(random, lateMs), () => void deliver(world, webhook));
  }
  for (const webhook of forgedAndUnrelated(world, { ...sent, bytes: first, data })) {
    clock.setTimer(1 + randomMs(random, lateMs), () => void deliver(world, webhook));
  }
}

/** Retries one delivery like the service: while no answer arrives or the answer is 5xx. A 4xx answer is final. */
export async function deliver(world: SimulationWorld, webhook: SimulatedWebhook): Promise<void> {
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
  const isNew = world.restoredAt === null || !(await isStored(world, webhook));
  const answer =
    process && (await withTimeout(world, DELIVERY_TIMEOUT_MS, process.app.receive(incoming)).catch(() => null));
  const status = answer?.status ?? null;
  if (genuine) world.service.deliveryLog.push({ at, payload: JSON.parse(new TextDecoder().decode(incoming.bytes)) });
  world.webhooks.push({ at, status, genuine, stored: false, paymentId, webhook, isNew });
  // A delivery without an answer may have been processed.
  if (status === 200 || status === null) countSignal(world, webhook);
  // A service that forgets what is half an hour old cannot prove whose payment an event names.
  const canProve = world.restoredAt !== null && world.hazards.time.broken !== "forgets";
  if (status === 200 && canProve && isNew && identifiesPayment(world, webhook)) {
    world.remembered.add(paymentId ?? "");
  }
  addHistory(world, `webhook ${webhook.event} of ${paymentId ?? "no payment"} → ${status ?? "no answer"}`);
  return status;
}

// A body that the restored ledger stores is a repetition, which causes nothing.
async function isStored({ ledger }: SimulationWorld, { incoming }: SimulatedWebhook): Promise<boolean> {
  return (await ledger.delivery(incoming.endpointId, digestOf(incoming.bytes))) !== null;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns the same event with a fresh id, as the service sends it in a retry. */
export function withFreshId(world: SimulationWorld, webhook: SimulatedWebhook): SimulatedWebhook {
  const { data } = JSON.parse(new TextDecoder().decode(webhook.incoming.bytes)) as { data: object };
  return signedWebhook(world, { ...webhook, bytes: eventBody(world, webhook.event, data) });
}

/**
 * Whether the event alone, or with a read of the transaction that it names, proves which payment it is about, also in a ledger that
 * does not know the payment.
 */
export function identifiesPayment({ hazards, service }: SimulationWorld, webhook: SimulatedWebhook): boolean {
  const { incoming, transaction, genuine, event, paymentId } = webhook;
  const session = transaction?.session;
  if (!genuine || !transaction || !hasOwnTerms(session) || session.key !== paymentId || event === "unrelated")
    return false;
  const { reference } = session.requestedTerms;
  const text = new TextDecoder().decode(incoming.bytes);
  if (text.includes(session.id) && text.includes(reference)) return true;
  const { naming } = hazards.money;
  const isNamed = text.includes(transaction.id) || text.includes(transaction.code);
  return isNamed && naming.session && naming.reference && service.transactions.includes(transaction);
}

/** Whether the service shows the session under our reference and in our environment. */
export function hasOwnTerms(session: SimulatedSession | null | undefined): session is SimulatedSession {
  if (!session) return false;
  const { paidTerms, requestedTerms } = session;
  return paidTerms.reference === requestedTerms.reference && paidTerms.environment === requestedTerms.environment;
}

// A stranger's success may have to be compared with our open payments, once for each transaction, and again where a copy arrives meanwhile.
// Their other events cost no read.
function countSignal({ tallies, clock }: SimulationWorld, webhook: SimulatedWebhook): void {
  const { event, paymentId, transaction } = webhook;
  if (transaction?.session !== null || paymentId !== null) {
    increment(tallies.signals, hasIdentifier(webhook) ? (paymentId ?? "") : "");
  } else if (event === "PAYMENT_SUCCEEDED") {
    const firstAt = tallies.strangers.get(transaction.id) ?? clock.now();
    tallies.strangers.set(transaction.id, firstAt);
    if (clock.now() < firstAt + MINUTE) increment(tallies.signals, "");
  }
}

function eventData(
  { random, hazards }: SimulationWorld,
  session: SimulatedSession,
  transaction: SimulatedTransaction,
): object {
  const bySession = { checkout_session_id: session.id, environment: session.paidTerms.environment };
  const named = { transaction_id: nameOf(transaction, hazards.money.naming), provider_code: "WAVE" };
  const byReference = { metadata: session.metadata, ...named };
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

type EventBody = Omit<SentEvent, "data"> & { readonly bytes: Uint8Array };

function signedWebhook(world: SimulationWorld, { bytes, ...about }: EventBody): SimulatedWebhook {
  const { event, paymentId, transaction, disputeId, refundId } = about;
  const signature = signWebhook(bytes, world.secrets[0] ?? "");
  const incoming = { endpointId: "main", bytes, signature, event };
  return { incoming, genuine: true, event, paymentId, transaction, disputeId, refundId };
}

function forgedAndUnrelated(
  world: SimulationWorld,
  { event, bytes, data, paymentId, transaction }: SentEvent & { readonly bytes: Uint8Array },
): SimulatedWebhook[] {
  const { random, hazards } = world;
  const webhooks: SimulatedWebhook[] = [];
  if (happens(random, hazards.webhooks.forged)) {
    const forgedBytes = eventBody(world, "PAYMENT_SUCCEEDED", data);
    const real = signWebhook(bytes, world.secrets[0] ?? "");
    const signature = pick(random, [signWebhook(forgedBytes, "whsec_guessed"), real, "", real.toUpperCase().slice(1)]);
    const incoming = { endpointId: "main", bytes: forgedBytes, signature, event };
    webhooks.push({ incoming, genuine: false, paymentId, event: "forged", transaction });
  }
  if (happens(random, hazards.webhooks.unrelated)) {
    const unrelatedData = pick<object>(random, [
      { checkout_session_id: "cs_of_another_channel" },
      { ...data, environment: "live" },
      { metadata: { tillkit_reference: "of-another.shop" } },
      { metadata: { order_id: "1041" } },
    ]);
    const namedPaymentId = "environment" in unrelatedData ? paymentId : "";
    const unrelatedBytes = eventBody(world, event, unrelatedData);
    webhooks.push({
      ...signedWebhook(world, { event, bytes: unrelatedBytes, paymentId: namedPaymentId, transaction: null }),
      event: "unrelated",
    });
  }
  return webhooks;
}

// An event without identifiers may be about any open payment.
function hasIdentifier({ incoming }: SimulatedWebhook): boolean {
  const text = new TextDecoder().decode(incoming.bytes);
  return ["cs_", "tillkit_reference", "tx_", "txn_"].some((name) => text.includes(name));
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
