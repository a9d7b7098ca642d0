import { signWebhook } from "@tillkit/client/webhooks";
import type { ModelSession } from "./service.ts";
import type { ModelDispute, ModelMoney, ModelRefund, ModelTransaction } from "./service-money.ts";
import type { ServiceTraits } from "./service-traits.ts";

export type ModelEvent = {
  readonly name: string;
  /** What the event says, without the personal data. */
  readonly data: object;
  readonly transaction: ModelTransaction;
  readonly refundId?: string;
  readonly disputeId?: string;
  readonly secret: string;
  readonly number: number;
};

type EventFacts = Omit<ModelEvent, "secret" | "number">;

const DISPUTE_STATUS = { open: "pending", won: "resolved", lost: "resolved", closed: "closed" } as const;

export function successEvent(transaction: ModelTransaction, { events }: ServiceTraits, money: ModelMoney): EventFacts {
  const { session } = transaction;
  const byTransaction = { transaction_id: money.nameOf(transaction) };
  const bySession = session === null ? {} : { checkout_session_id: session.id };
  const name = "PAYMENT_SUCCEEDED";
  if (session === null || events === "transaction") return { name, data: byTransaction, transaction };
  const all = { ...bySession, ...byTransaction, metadata: session.metadata };
  return { name, data: events === "session" ? bySession : all, transaction };
}

export function refundEvent(refund: ModelRefund, traits: ServiceTraits, money: ModelMoney): EventFacts {
  const { id, transaction } = refund;
  const named = { refund_id: id, transaction_id: money.nameOf(transaction), status: "completed" };
  const data = { ...named, ...metadataOf(transaction, traits) };
  return { name: "REFUND_COMPLETED", data, transaction, refundId: id };
}

/** The present state of a dispute. `version` counts its events, so that each is newer than the one before. */
export function disputeEvent(
  dispute: ModelDispute,
  traits: ServiceTraits,
  money: ModelMoney,
  { isNew, at }: { readonly isNew: boolean; readonly at: number },
): EventFacts {
  const { id, transaction, wireAmount, currency, state } = dispute;
  const data = {
    dispute_id: id,
    transaction_id: money.nameOf(transaction),
    status: DISPUTE_STATUS[state],
    ...(state === "won" || state === "lost" ? { outcome: state } : {}),
    ...(wireAmount === null ? {} : { amount: wireAmount }),
    currency_code: currency,
    updated_at: new Date(at).toISOString(),
    ...metadataOf(transaction, traits),
  };
  const openName = isNew ? "DISPUTE_CREATED" : "DISPUTE_UPDATED";
  return { name: state === "open" ? openName : "DISPUTE_CLOSED", data, transaction, disputeId: id };
}

function metadataOf({ session }: ModelTransaction, { events }: ServiceTraits): { readonly metadata?: object } {
  return session !== null && events === "everything" ? { metadata: session.metadata } : {};
}

/** The bytes of an event, with personal data like a real one. */
export function bytesOf(
  { name, data, number }: ModelEvent,
  as: { readonly id: string; readonly withoutIds: boolean },
): Uint8Array {
  const customer = { email: "awa@customers.example", phone: "+221 77 123 45 67" };
  const said = as.withoutIds ? { customer } : { ...data, customer };
  return new TextEncoder().encode(JSON.stringify({ id: `evt_${number}_${as.id}`, event: name, data: said }));
}

export function signatureOf(bytes: Uint8Array, secret: string): string {
  return signWebhook(bytes, secret);
}

/** Whether the event tells by itself, or with a read of the transaction that it names, which payment it is about. */
export function namesPayment({ transaction }: ModelEvent, bytes: Uint8Array, { reads }: ServiceTraits): boolean {
  const { session, id, code } = transaction;
  if (session === null) return false;
  const text = new TextDecoder().decode(bytes);
  const names = (name: string) => text.includes(`"${name}"`);
  const namesTransaction = names(id) || names(code);
  return names(session.id) || names(session.requestedReference) || (namesTransaction && reads !== "nothing");
}

/** Whether the same is proved to a ledger that does not know the payment. */
export function provesPayment({ transaction }: ModelEvent, bytes: Uint8Array, { reads }: ServiceTraits): boolean {
  const { session, id, code } = transaction;
  if (session === null || !hasOwnTerms(session)) return false;
  const text = new TextDecoder().decode(bytes);
  const names = (name: string) => text.includes(`"${name}"`);
  if (names(session.id) && names(session.requestedReference)) return true;
  return (names(id) || names(code)) && reads !== "nothing";
}

/** Whether the service shows the session under our reference and in our environment. */
export function hasOwnTerms({ reference, requestedReference, paid }: ModelSession): boolean {
  return reference === requestedReference && paid.environment === "test";
}
