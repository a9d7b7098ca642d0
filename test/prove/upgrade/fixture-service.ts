import { CheckoutError, type Clock, type SessionReading } from "@tillkit/core";
import type { Service, TransactionReading } from "@tillkit/core/hosts";

/**
 * What the service and the stores know, as plain data that outlives the process of the ledger. Amounts are in the unit of the
 * service's API, times in milliseconds since 1970.
 */
export type UpgradeFixture = {
  now: number;
  readonly secret: string;
  readonly referenceKey: string;
  /** The key that encrypts the ledger's secrets. */
  readonly secretKey: string;
  readonly sessions: FixtureSession[];
  readonly refunds: FixtureRefund[];
  readonly orders: FixtureOrder[];
  readonly tasks: FixtureTask[];
};

export type FixtureSession = {
  readonly id: string;
  /** The Idempotency-Key, which is the id of the payment. */
  readonly key: string;
  readonly request: string;
  readonly expiresAt: number;
  /** Null means the requested amount. */
  paidAmount: number | null;
  completedAt: number | null;
  /** The service does not say which transaction paid this session. */
  isUnnamed: boolean;
};

export type FixtureRefund = {
  readonly id: string;
  readonly key: string;
  readonly transactionId: string;
  readonly wireAmount: number;
  readonly reason: string;
  status: "pending" | "completed" | "failed";
};

export type FixtureOrder = {
  readonly storeId: string;
  readonly orderId: string;
  readonly title: string;
  total: number;
  paidBy: string | null;
  /** Payments for which the store shipped the order. More than one breaks an invariant. */
  readonly effects: { readonly paymentId: string; readonly at: number }[];
  readonly holds: string[];
  readonly notes: string[];
  readonly refunds: string[];
  /** A write that takes effect after the process that sent it has stopped. */
  pendingWrite: { paymentId: string; at: number } | null;
};

/** A task of a platform, such as a webhook of Shopify. `runs` counts how often the task was done. */
export type FixtureTask = {
  readonly kind: "shopify.webhook" | "shopify.modification";
  readonly storeId: string;
  readonly uniqueKey: string;
  readonly state: object;
  runs: number;
};

/** How a write about an order fails. `lost`: it takes effect and its answer is lost. `hangs`: the call never returns, and the process stops meanwhile. */
export type ServiceFault = "down" | "lost" | "hangs" | "pending";

const SESSION_MS = 60 * 60_000;

/** The service of the fixture, today's and that of the program that made it. `faults` are keyed by order title. */
export function createFixtureService(
  fixture: UpgradeFixture,
  clock: Clock,
  faults: ReadonlyMap<string, ServiceFault> = new Map(),
): Service {
  async function write<Answer>(title: string, work: () => Answer): Promise<Answer> {
    const fault = faults.get(title);
    if (fault === "hangs") await new Promise(() => {});
    if (fault === "down") throw unavailable();
    const answer = work();
    if (fault === "lost") throw unavailable();
    return answer;
  }

  function openSession(request: string, key: string): FixtureSession {
    const existing = fixture.sessions.find((session) => session.key === key);
    if (existing && existing.request !== request) throw new CheckoutError("session_refused", "idempotency_key_reused");
    if (existing) return existing;
    const session: FixtureSession = {
      id: `session of ${key}`,
      key,
      request,
      expiresAt: clock.now() + SESSION_MS,
      paidAmount: null,
      completedAt: null,
      isUnnamed: false,
    };
    fixture.sessions.push(session);
    return session;
  }

  function createRefund(request: string, key: string): FixtureRefund {
    const existing = fixture.refunds.find((refund) => refund.key === key);
    if (existing) return existing;
    const { transaction_id: transactionId, amount, reason } = JSON.parse(request) as RefundBody;
    if (amount > refundableAmount(fixture, transactionId)) throw new CheckoutError("refund_refused", "amount_invalid");
    const refund: FixtureRefund = {
      id: `refund ${key}`,
      key,
      transactionId,
      wireAmount: amount,
      reason,
      status: faults.get(findOrderTitle(fixture, transactionId)) === "pending" ? "pending" : "completed",
    };
    fixture.refunds.push(refund);
    return refund;
  }

  return {
    openSession: ({ request, key }) =>
      write(parseRequest(request).title, () => {
        const { id, expiresAt } = openSession(request, key);
        return { id, url: `https://pay.service.example/${encodeURIComponent(id)}`, expiresAt };
      }),
    readSession: async ({ session }) => readSession(fixture, clock, session?.id),
    refund: ({ request, key }) => {
      const { transaction_id: transactionId } = JSON.parse(request) as RefundBody;
      return write(findOrderTitle(fixture, transactionId), () => createRefund(request, key));
    },
    readRefunds: async (_payment, { transactionId }) => ({
      refunds: fixture.refunds.filter((refund) => refund.transactionId === transactionId),
      unassigned: [],
      elsewhere: [],
      isComplete: true,
    }),
    readTransaction: async ({ id }) => {
      const session = paidSessions(fixture).find((known) => transactionIdOf(known) === id);
      return session ? readTransaction(fixture, session) : null;
    },
    async *listDeliveredEvents() {},
    async *listTransactions() {
      for (const session of paidSessions(fixture)) yield readTransaction(fixture, session);
    },
  };
}

type RefundBody = { readonly transaction_id: string; readonly amount: number; readonly reason: string };

type Body = {
  readonly title: string;
  readonly amount: number;
  readonly currency_code: string;
  readonly metadata: Record<string, string>;
};

export function parseRequest(request: string): Body {
  return JSON.parse(request) as Body;
}

export function transactionIdOf({ id }: FixtureSession): string {
  return `transaction of ${id}`;
}

function readSession(fixture: UpgradeFixture, clock: Clock, id: string | undefined): SessionReading {
  const session = fixture.sessions.find((known) => known.id === id);
  if (session === undefined) return {};
  const body = parseRequest(session.request);
  const isPaid = session.completedAt !== null;
  const statusIfUnpaid = clock.now() < session.expiresAt ? "open" : "expired";
  return {
    id: session.id,
    status: isPaid ? "completed" : statusIfUnpaid,
    wireAmount: session.paidAmount ?? body.amount,
    currency: body.currency_code,
    reference: body.metadata.tillkit_reference,
    environment: "test",
    ...(isPaid && !session.isUnnamed ? { transactionId: transactionIdOf(session) } : {}),
  };
}

function paidSessions({ sessions }: UpgradeFixture): readonly FixtureSession[] {
  return sessions.filter(({ completedAt }) => completedAt !== null);
}

function readTransaction(fixture: UpgradeFixture, session: FixtureSession): TransactionReading {
  const { amount, currency_code: currency, metadata } = parseRequest(session.request);
  const id = transactionIdOf(session);
  const made = fixture.refunds.filter(({ transactionId, status }) => transactionId === id && status === "completed");
  return {
    id,
    ...(session.isUnnamed ? {} : { sessionId: session.id, reference: metadata.tillkit_reference }),
    wireAmount: session.paidAmount ?? amount,
    refundedAmount: made.reduce((sum, { wireAmount }) => sum + wireAmount, 0),
    currency,
    status: "completed",
    createdAt: session.completedAt ?? undefined,
  };
}

function refundableAmount(fixture: UpgradeFixture, transactionId: string): number {
  const session = fixture.sessions.find((known) => transactionIdOf(known) === transactionId);
  if (session === undefined) return 0;
  const refunds = fixture.refunds.filter((refund) => refund.transactionId === transactionId);
  const paid = session.paidAmount ?? parseRequest(session.request).amount;
  return refunds.reduce((left, { wireAmount }) => left - wireAmount, paid);
}

function findOrderTitle(fixture: UpgradeFixture, transactionId: string): string {
  const session = fixture.sessions.find((known) => transactionIdOf(known) === transactionId);
  return session === undefined ? "" : parseRequest(session.request).title;
}

function unavailable(): CheckoutError {
  return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
}
