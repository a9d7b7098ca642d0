import { CheckoutError, type Clock, type Service, type SessionReading } from "@tillkit/core";

/**
 * What the service and the shops know, as plain data: it outlives the process whose ledger it belongs to. Amounts in the
 * wire's unit, times in milliseconds since 1970.
 */
export type KeptWorld = {
  now: number;
  readonly secret: string;
  readonly referenceKey: string;
  readonly sessions: KeptSession[];
  readonly refunds: KeptRefund[];
  readonly orders: KeptOrder[];
};

export type KeptSession = {
  readonly id: string;
  readonly key: string;
  readonly request: string;
  readonly expiresAt: number;
  /** Null: as much as was asked. */
  paidAmount: number | null;
  completedAt: number | null;
};

export type KeptRefund = {
  readonly id: string;
  readonly key: string;
  readonly transactionId: string;
  readonly wireAmount: number;
  status: "pending" | "completed" | "failed";
};

export type KeptOrder = {
  readonly storeId: string;
  readonly orderId: string;
  readonly title: string;
  total: number;
  paidBy: string | null;
  /** Payments for which goods left the shop: one at most, or the promise is broken. */
  readonly effects: { readonly paymentId: string; readonly at: number }[];
  readonly holds: string[];
  readonly notes: string[];
  readonly refunds: string[];
  /** A write that is still under way when the process that sent it is gone. */
  late: { paymentId: string; at: number } | null;
};

/** What a write about an order does. `lost`: taken, and the answer is lost. `never`: the process dies in the call. */
export type Trouble = "down" | "lost" | "never" | "pending";

const SESSION_MS = 60 * 60_000;

/** The service on kept data. `troubles` by order. */
export function createKeptService(
  world: KeptWorld,
  clock: Clock,
  troubles: ReadonlyMap<string, Trouble> = new Map(),
): Service {
  async function write<Answer>(title: string, work: () => Answer): Promise<Answer> {
    const trouble = troubles.get(title);
    if (trouble === "never") await new Promise(() => {});
    if (trouble === "down") throw unavailable();
    const answer = work();
    if (trouble === "lost") throw unavailable();
    return answer;
  }

  function open(request: string, key: string): KeptSession {
    const known = world.sessions.find((session) => session.key === key);
    if (known && known.request !== request) throw new CheckoutError("session_refused", "idempotency_key_reused");
    if (known) return known;
    const session: KeptSession = {
      id: `session of ${key}`,
      key,
      request,
      expiresAt: clock.now() + SESSION_MS,
      paidAmount: null,
      completedAt: null,
    };
    world.sessions.push(session);
    return session;
  }

  function giveBack(request: string, key: string): KeptRefund {
    const known = world.refunds.find((refund) => refund.key === key);
    if (known) return known;
    const { transaction_id: transactionId, amount } = JSON.parse(request) as { transaction_id: string; amount: number };
    if (amount > leftOf(world, transactionId)) throw new CheckoutError("refund_refused", "amount_invalid");
    const refund: KeptRefund = {
      id: `refund ${key}`,
      key,
      transactionId,
      wireAmount: amount,
      status: troubles.get(titleOfTransaction(world, transactionId)) === "pending" ? "pending" : "completed",
    };
    world.refunds.push(refund);
    return refund;
  }

  return {
    openSession: ({ request, key }) =>
      write(bodyOf(request).title, () => {
        const { id, expiresAt } = open(request, key);
        return { id, url: `https://pay.service.example/${encodeURIComponent(id)}`, expiresAt };
      }),
    readSession: async ({ session }) => readSession(world, clock, session?.id),
    refund: ({ request, key }) => {
      const { transaction_id: transactionId } = JSON.parse(request) as { transaction_id: string };
      return write(titleOfTransaction(world, transactionId), () => giveBack(request, key));
    },
    readRefunds: async (_payment, { transactionId }) =>
      world.refunds.filter((refund) => refund.transactionId === transactionId),
    readTransaction: async ({ id }) => {
      const session = world.sessions.find((one) => one.completedAt !== null && transactionOf(one) === id);
      return session ? { id, sessionId: session.id, status: "completed" } : null;
    },
    async *listTransactions() {
      for (const session of world.sessions.filter(({ completedAt }) => completedAt !== null)) {
        const { reference, wireAmount, currency } = readSession(world, clock, session.id);
        yield {
          id: transactionOf(session),
          sessionId: session.id,
          reference,
          wireAmount,
          currency,
          status: "completed",
        };
      }
    },
  };
}

type Body = {
  readonly title: string;
  readonly amount: number;
  readonly currency_code: string;
  readonly metadata: Record<string, string>;
};

export function bodyOf(request: string): Body {
  return JSON.parse(request) as Body;
}

export function transactionOf({ id }: KeptSession): string {
  return `transaction of ${id}`;
}

function readSession(world: KeptWorld, clock: Clock, id: string | undefined): SessionReading {
  const session = world.sessions.find((one) => one.id === id);
  if (session === undefined) return {};
  const body = bodyOf(session.request);
  const isPaid = session.completedAt !== null;
  return {
    id: session.id,
    status: isPaid ? "completed" : clock.now() < session.expiresAt ? "open" : "expired",
    wireAmount: session.paidAmount ?? body.amount,
    currency: body.currency_code,
    reference: body.metadata.tillkit_reference,
    environment: "test",
    ...(isPaid ? { transactionId: transactionOf(session) } : {}),
  };
}

function leftOf(world: KeptWorld, transactionId: string): number {
  const session = world.sessions.find((one) => transactionOf(one) === transactionId);
  if (session === undefined) return 0;
  const back = world.refunds.filter((refund) => refund.transactionId === transactionId);
  const paid = session.paidAmount ?? bodyOf(session.request).amount;
  return back.reduce((left, { wireAmount }) => left - wireAmount, paid);
}

function titleOfTransaction(world: KeptWorld, transactionId: string): string {
  const session = world.sessions.find((one) => transactionOf(one) === transactionId);
  return session === undefined ? "" : bodyOf(session.request).title;
}

function unavailable(): CheckoutError {
  return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
}
