import type { Dispute, JobError, Ledger, OrderRef, Payment, PaymentLedger, Refund, TimelineEntry } from "@tillkit/core";
import {
  type Change,
  type DeliveredEvent,
  type DeliveredTransaction,
  type Delivery,
  type Job,
  NEW_PAYMENT_DEFAULTS,
  type NewPaymentJob,
  type PaidTransaction,
} from "@tillkit/core/ledger";
import { expect } from "vitest";

/** Noon of a fixed Tuesday. All times in these tests are relative to it. */
export const NOON = Date.UTC(2026, 0, 6, 12);

export const ORDER: OrderRef = { storeId: "hats", orderId: "order-1" };

export const UNAVAILABLE: JobError = { code: "unavailable", message: "The shop answered 503." };

export const RECONNECT: JobError = {
  code: "reconnect",
  message: "The shop refused our connection.",
  reason: { kind: "platform_error", code: "invalid_token" },
};

export function payment(id: string, change: Partial<Payment> = {}): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: ORDER,
    orderNumber: "1042",
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON,
    amountDue: { minor: 5000, currency: "XOF" },
    wireAmount: 5000,
    request: `{"amount":5000,"payment":"${id}"}`,
    reference: `${id}.0123456789abcdef`,
    session: null,
    state: "intent",
    ...change,
  };
}

export function session(id: string): Payment["session"] {
  return { id, url: `https://pay.example/${id}`, expiresAt: NOON + 3_600_000 };
}

export function refund(key: string, change: Partial<Refund> = {}): Refund {
  return {
    key,
    paymentId: "p1",
    origin: "store",
    amount: { minor: 2000, currency: "XOF" },
    request: '{"amount":2000}',
    transactionId: "txn_1",
    state: "requested",
    refundId: null,
    requestedAt: NOON,
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
    ...change,
  };
}

/** A transaction that certainly paid the payment `p1`. */
export function transaction(id: string, change: Partial<PaidTransaction> = {}): PaidTransaction {
  return {
    id,
    code: `txn of ${id}`,
    paymentId: "p1",
    amount: { minor: 5000, currency: "XOF" },
    isRead: true,
    evidence: "identity",
    at: NOON,
    ...change,
  };
}

export function dispute(id: string, change: Partial<Dispute> = {}): Dispute {
  return {
    id,
    paymentId: "p1",
    transactionId: "txn_1",
    amount: { minor: 5000, currency: "XOF" },
    reason: "product_not_received",
    status: "pending",
    outcome: null,
    evidenceDueBy: NOON + 10 * 86_400_000,
    openedAt: NOON,
    updatedAt: NOON,
    ...change,
  };
}

export function job(change: Partial<NewPaymentJob> = {}): NewPaymentJob {
  return { kind: "confirm", storeId: "hats", paymentId: "p1", payload: "", dueAt: NOON, ...change };
}

/** An entry of this kind, or of one that only a newer version knows. */
export function timelineEntry(kind: string, change: object = {}): TimelineEntry {
  return { paymentId: "p1", at: NOON, actor: "timer", kind, ...change } as TimelineEntry;
}

/** The event of a delivery, as the engine stores it. By default, a payment by the method WAVE succeeded. */
export function deliveredEvent(
  change: Partial<DeliveredEvent> = {},
  transaction: Partial<DeliveredTransaction> = {},
): DeliveredEvent {
  const known = { code: null, method: "WAVE", customerId: null, wireFee: null, wireNet: null };
  return { name: "PAYMENT_SUCCEEDED", at: NOON, transaction: { ...known, ...transaction }, ...change };
}

/** Receives one delivery and records that the delivery belongs to the payment. */
export async function givenEvent(ledger: PaymentLedger, paymentId: string, event: DeliveredEvent): Promise<void> {
  const row = delivery(`${paymentId} ${JSON.stringify(event)}`);
  await ledger.receive([row]);
  const { endpointId, digest } = row;
  const processed = {
    endpointId,
    digest,
    outcome: "processed",
    paymentId,
    processedAt: NOON,
    event,
    attempts: 2,
  } as const;
  await commit(ledger, { processed: [processed] });
}

export function delivery(text: string, change: Partial<Delivery> = {}): Delivery {
  const bytes = new TextEncoder().encode(text);
  return { endpointId: "endpoint-1", digest: `digest of ${text}`, bytes, receivedAt: NOON, ...change };
}

/** Commits a change and checks that the ledger accepted the change. */
export async function commit(ledger: PaymentLedger, change: Partial<Change>): Promise<void> {
  expect(await ledger.commit({ timeline: [], ...change })).toBe("done");
}

export async function givenPayments(ledger: PaymentLedger, ...payments: readonly Payment[]): Promise<void> {
  for (const next of payments) await commit(ledger, { payment: { next, expect: "new" } });
}

/** Claims the due jobs of one worker with a lease of a minute. */
export async function claim(
  ledger: PaymentLedger,
  options: Partial<Parameters<PaymentLedger["claim"]>[0]> = {},
): Promise<readonly Job[]> {
  return ledger.claim({ worker: "worker-1", now: NOON, leaseMs: 60_000, limit: 100, ...options });
}

export function payloads(jobs: readonly Job[]): readonly string[] {
  return jobs.map(({ payload }) => payload);
}

/** Returns the ledger of the running test. */
export type GetLedger = () => Ledger;
