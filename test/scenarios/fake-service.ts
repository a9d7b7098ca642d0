import { signWebhook } from "@tillkit/client/webhooks";
import { CheckoutError, type Clock, type Payment, type RefundReading, type SessionReading } from "@tillkit/core";
import type { Service } from "@tillkit/core/hosts";

const SESSION_MS = 60 * 60_000;
export const SECRET = "whsec_of_the_scenarios";

export type FakeSession = {
  readonly id: string;
  /** The Idempotency-Key of the session's POST. */
  readonly key: string;
  readonly request: string;
  readonly expiresAt: number;
  status: "open" | "completed" | "expired";
  /** Values that replace fields of the next readings. */
  overrides: SessionReading;
};

/** `at` in milliseconds since 1970. Calls to a service that is down count too. */
export type Call = { readonly at: number; readonly operation: "open" | "read" | "refund" | "list" };

export type SignedEvent = { readonly endpointId: string; readonly bytes: Uint8Array; readonly signature: string };

/** The service without HTTP: it follows the API, counts every call and fails on request. */
export type FakeService = {
  readonly port: Service;
  readonly sessions: readonly FakeSession[];
  readonly refunds: readonly (RefundReading & { readonly key: string; readonly transactionId: string })[];
  readonly calls: readonly Call[];
  /** The bodies of POST /checkout-sessions in order, including repeated ones. */
  readonly posts: readonly { readonly key: string; readonly request: string }[];
  down: boolean;
  /** The next writes take effect but their answers are lost: the caller gets an error or no answer. */
  readonly loseAnswers: ("error" | "silence")[];
  sessionOf(payment: Payment): FakeSession;
  /** The shopper pays, possibly late. Returns the event. */
  pay(payment: Payment): SignedEvent;
  /** Creates an event with a fresh id. `data` replaces its data. */
  event(name: string, data: Readonly<Record<string, unknown>>): SignedEvent;
};

export function createFakeService(clock: Clock): FakeService {
  const sessions: FakeSession[] = [];
  const refunds: (RefundReading & { key: string; transactionId: string })[] = [];
  const calls: Call[] = [];
  const posts: { key: string; request: string }[] = [];
  let eventCount = 0;

  function recordCall(operation: Call["operation"]): void {
    calls.push({ at: clock.now(), operation });
    if (service.down) throw new CheckoutError("service_unavailable", "The service is down.", { retryable: true });
  }

  function answerWrite<Value>(value: Value): Promise<Value> {
    const lost = service.loseAnswers.shift();
    if (lost === undefined) return Promise.resolve(value);
    if (lost === "silence") return new Promise(() => {});
    return Promise.reject(new CheckoutError("service_unavailable", "The answer was lost.", { retryable: true }));
  }

  function open(request: string, key: string): FakeSession {
    const known = sessions.find((session) => session.key === key);
    if (known && known.request !== request) throw new CheckoutError("session_refused", "idempotency_key_reused");
    if (known) return known;
    const id = `session-${sessions.length + 1}`;
    const session = { id, key, request, expiresAt: clock.now() + SESSION_MS, status: "open", overrides: {} } as const;
    sessions.push({ ...session });
    return sessions.at(-1) ?? session;
  }

  function read(id: string | undefined): SessionReading {
    const session = sessions.find((known) => known.id === id);
    if (!session) return {};
    if (session.status === "open" && clock.now() >= session.expiresAt) session.status = "expired";
    const body = JSON.parse(session.request) as Body;
    return {
      id: session.id,
      status: session.status,
      wireAmount: body.amount,
      currency: body.currency_code,
      reference: body.metadata.tillkit_reference,
      environment: "test",
      transactionId: session.status === "completed" ? transactionOf(session) : undefined,
      ...session.overrides,
    };
  }

  function refundedOf(session: FakeSession): number {
    const made = refunds.filter(({ transactionId }) => transactionId === transactionOf(session));
    return made.reduce((sum, { wireAmount = 0 }) => sum + wireAmount, 0);
  }

  function createRefund(request: string, key: string): RefundReading {
    const known = refunds.find((refund) => refund.key === key);
    if (known) return known;
    const body = JSON.parse(request) as { amount: number; transaction_id: string };
    const id = `refund-${refunds.length + 1}`;
    refunds.push({ key, id, status: "completed", wireAmount: body.amount, transactionId: body.transaction_id });
    return refunds.at(-1) ?? { id, status: "completed", wireAmount: body.amount };
  }

  const service: FakeService = {
    sessions,
    refunds,
    calls,
    posts,
    down: false,
    loseAnswers: [],
    sessionOf(payment) {
      const found = sessions.find(({ key }) => key === payment.id);
      if (!found) throw new Error(`Payment ${payment.id} has no session.`);
      return found;
    },
    pay(payment) {
      const session = service.sessionOf(payment);
      session.status = "completed";
      const data = { checkout_session_id: session.id, transaction_id: transactionOf(session) };
      return service.event("PAYMENT_SUCCEEDED", data);
    },
    event(name, data) {
      eventCount += 1;
      const bytes = new TextEncoder().encode(JSON.stringify({ id: `event-${eventCount}`, event: name, data }));
      return { endpointId: "main", bytes, signature: signWebhook(bytes, SECRET) };
    },
    port: {
      async openSession({ request, key }) {
        posts.push({ key, request });
        recordCall("open");
        const { id, expiresAt } = open(request, key);
        return await answerWrite({ id, url: `https://pay.service.example/${id}`, expiresAt });
      },
      async readSession({ session }) {
        recordCall("read");
        return read(session?.id);
      },
      async refund({ request, key }) {
        recordCall("refund");
        return await answerWrite(createRefund(request, key));
      },
      async readRefunds(_payment, { transactionId }) {
        recordCall("list");
        return {
          refunds: refunds.filter((refund) => refund.transactionId === transactionId),
          unassigned: [],
          elsewhere: [],
          isComplete: true,
        };
      },
      async readTransaction({ id }) {
        recordCall("list");
        const session = sessions.find((known) => known.status === "completed" && transactionOf(known) === id);
        return session ? { ...toTransaction(session, clock.now()), refundedAmount: refundedOf(session) } : null;
      },
      async *listDeliveredEvents() {},
      async *listTransactions() {
        recordCall("list");
        for (const session of sessions) if (session.status === "completed") yield toTransaction(session, clock.now());
      },
    },
  };
  return service;
}

function toTransaction(session: FakeSession, createdAt: number) {
  const { amount, currency_code: currency, metadata } = JSON.parse(session.request) as Body;
  const { tillkit_reference: reference, tillkit_order: signedOrder } = metadata;
  const values = { sessionId: session.id, reference, signedOrder, wireAmount: amount, currency };
  return { ...values, id: transactionOf(session), status: "completed", createdAt };
}

type Body = { amount: number; currency_code: string; metadata: { tillkit_reference?: string; tillkit_order?: string } };

function transactionOf({ id }: FakeSession): string {
  return `transaction-of-${id}`;
}
