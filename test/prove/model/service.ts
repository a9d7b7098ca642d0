import { signWebhook } from "@tillkit/client/webhooks";
import {
  CheckoutError,
  type Clock,
  type Environment,
  type Payment,
  type RefundReading,
  type Service,
  type SessionReading,
} from "@tillkit/core";
import type { WrongTerms } from "./steps.ts";

export type ModelSession = {
  readonly id: string;
  /** The Idempotency-Key, which is the id of the payment. */
  readonly key: string;
  readonly request: string;
  reference: string;
  /** The field that readings omit. */
  omittedField: keyof SessionReading | null;
  readonly expiresAt: number;
  readonly paid: { wireAmount: number; currency: string; account: string | null; environment: Environment };
  completedAt: number | null;
};

export type ModelRefund = RefundReading & {
  readonly wireAmount: number;
  readonly sessionId: string;
  readonly key: string | null;
  readonly at: number;
};

export type ModelEvent = {
  readonly name: string;
  readonly session: ModelSession;
  readonly secret: string;
  readonly number: number;
};

/** The service of the model: its sessions, refunds and events. Times in milliseconds since 1970. */
export type ModelService = {
  readonly port: Service;
  readonly sessions: readonly ModelSession[];
  readonly refunds: readonly ModelRefund[];
  readonly events: readonly ModelEvent[];
  /** Wrong calls by the engine, which leave no other trace. */
  readonly misuses: readonly string[];
  /** The number of calls by payment. */
  readonly calls: Map<string, { opens: number; reads: number }>;
  /** The number of all calls. */
  callCount(): number;
  pay(session: ModelSession, wrong?: WrongTerms): void;
  refundInDashboard(session: ModelSession, all: boolean): void;
  /** Makes the next calls fail before or after they take effect. */
  failNext(how: "down" | "answer lost", calls: number): void;
  heal(): void;
  /** New events are signed with a new secret. */
  rotateSecret(): void;
  /** The valid secrets, newest first. */
  secrets(): readonly string[];
};

const SESSION_MS = 60 * 60_000;

export function createModelService(clock: Clock): ModelService {
  const sessions: ModelSession[] = [];
  const refunds: ModelRefund[] = [];
  const events: ModelEvent[] = [];
  const misuses: string[] = [];
  /** The key of the unanswered refund by transaction. */
  const unanswered = new Map<string, string>();
  const calls = new Map<string, { opens: number; reads: number }>();
  let secrets = ["whsec_model_1"];
  let secretCount = 1;
  let faults: ("down" | "answer lost")[] = [];
  let callCount = 0;

  function sendEvent(name: string, session: ModelSession): void {
    events.push({ name, session, secret: secrets[0] ?? "", number: events.length + 1 });
  }

  function callsOf(paymentId: string) {
    const known = calls.get(paymentId) ?? { opens: 0, reads: 0 };
    calls.set(paymentId, known);
    return known;
  }

  async function call<Answer>(work: () => Answer): Promise<Answer> {
    const fault = faults.shift();
    callCount += 1;
    if (fault === "down") throw unavailable();
    const answer = work();
    if (fault === "answer lost") throw unavailable();
    return answer;
  }

  function open(request: string, key: string, account: string | null): ModelSession {
    const known = sessions.find((session) => session.key === key);
    if (known && known.request !== request) {
      misuses.push(`I5 the POST of payment ${key} was repeated with other bytes`);
      throw new CheckoutError("session_refused", "idempotency_key_reused");
    }
    if (known) return known;
    const body = JSON.parse(request) as { amount: number; currency_code: string; metadata: Record<string, string> };
    const session: ModelSession = {
      id: `cs_${sessions.length + 1}`,
      key,
      request,
      reference: body.metadata.tillkit_reference ?? "",
      omittedField: null,
      expiresAt: clock.now() + SESSION_MS,
      paid: { wireAmount: body.amount, currency: body.currency_code, account, environment: "test" },
      completedAt: null,
    };
    sessions.push(session);
    return session;
  }

  function read(session: ModelSession | undefined): SessionReading {
    if (!session) return {};
    const { id, reference, omittedField, expiresAt, completedAt, paid } = session;
    const statusIfUnpaid = clock.now() >= expiresAt ? "expired" : "open";
    const { wireAmount, currency, environment, account } = paid;
    const reading = {
      id,
      reference,
      wireAmount,
      currency,
      environment,
      status: completedAt === null ? statusIfUnpaid : "completed",
      ...(account === null ? {} : { account }),
      ...(completedAt === null ? {} : { transactionId: transactionOf(session) }),
    };
    return omittedField === null ? reading : { ...reading, [omittedField]: undefined };
  }

  function refundedAmountOf(session: ModelSession | undefined): number {
    const made = refunds.filter(({ sessionId }) => sessionId === session?.id);
    return made.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
  }

  function refund(session: ModelSession | undefined, wireAmount: number, key: string | null): ModelRefund {
    const known = key === null ? undefined : refunds.find((refund) => refund.key === key);
    if (known) return known;
    const refunded = refundedAmountOf(session);
    if (!session || session.completedAt === null || wireAmount < 1 || refunded + wireAmount > session.paid.wireAmount) {
      throw new CheckoutError("refund_refused", "amount_invalid");
    }
    const refund: ModelRefund = {
      id: `re_${refunds.length + 1}`,
      status: "completed",
      wireAmount,
      sessionId: session.id,
      key,
      at: clock.now(),
    };
    refunds.push(refund);
    sendEvent("REFUND_COMPLETED", session);
    return refund;
  }

  function refundOrRefusal(transactionId: string, amount: number, key: string): ModelRefund | CheckoutError {
    try {
      return refund(byTransaction(transactionId), amount, key);
    } catch (error) {
      if (error instanceof CheckoutError) return error;
      throw error;
    }
  }

  const sessionOf = (payment: Pick<Payment, "session">) => sessions.find(({ id }) => id === payment.session?.id);
  const byTransaction = (transactionId: string) => sessions.find((session) => transactionOf(session) === transactionId);

  return {
    sessions,
    refunds,
    events,
    misuses,
    calls,
    callCount: () => callCount,
    pay(session, wrong) {
      if (session.completedAt !== null) return;
      session.completedAt = clock.now();
      if (wrong) falsify(session, wrong);
      sendEvent("PAYMENT_SUCCEEDED", session);
    },
    refundInDashboard(session, all) {
      const left = session.completedAt === null ? 0 : session.paid.wireAmount - refundedAmountOf(session);
      if (left > 0) refund(session, all ? left : Math.ceil(left / 2), null);
    },
    failNext: (how, count) => {
      for (let index = 0; index < count; index += 1) faults.push(how);
    },
    heal: () => {
      faults = [];
    },
    rotateSecret: () => {
      secretCount += 1;
      secrets = [`whsec_model_${secretCount}`, ...secrets.slice(0, 1)];
    },
    secrets: () => secrets,
    port: {
      openSession: ({ request, key, account }) =>
        call(() => {
          callsOf(key).opens += 1;
          const { id, expiresAt } = open(request, key, account);
          return { id, url: `https://pay.service.example/${id}`, expiresAt };
        }),
      readSession: (payment) => {
        callsOf(payment.id).reads += 1;
        return call(() => read(sessionOf(payment)));
      },
      refund: async ({ request, key }) => {
        const body = JSON.parse(request) as { amount: number; transaction_id: string };
        const { transaction_id: transactionId, amount } = body;
        const unansweredKey = unanswered.get(transactionId) ?? key;
        if (unansweredKey !== key)
          misuses.push(`I1 the refund ${key} was sent while ${unansweredKey} was still in doubt`);
        unanswered.set(transactionId, key);
        const answer = await call(() => refundOrRefusal(transactionId, amount, key));
        unanswered.delete(transactionId);
        if (answer instanceof CheckoutError) throw answer;
        return answer;
      },
      readRefunds: async (_payment, { transactionId }) => {
        const made = await call(() =>
          refunds.filter(({ sessionId }) => sessionId === byTransaction(transactionId)?.id),
        );
        unanswered.delete(transactionId);
        return { refunds: made, unassigned: [], isComplete: true };
      },
      readTransaction: ({ id }) =>
        call(() => {
          const session = byTransaction(id);
          if (!session) return null;
          callsOf(session.key).reads += 1;
          return { id, sessionId: session.id, status: "completed", refundedAmount: refundedAmountOf(session) };
        }),
      // These histories lose no ledger, so nothing is recovered from the service.
      async *listDeliveredEvents() {},
      listTransactions: async function* listTransactions() {},
    },
  };
}

/** The bytes of an event, with personal data like a real one. */
export function bytesOf(
  { name, session, number }: ModelEvent,
  as: { readonly id: string; readonly withoutIds: boolean },
): Uint8Array {
  const ids = as.withoutIds ? {} : { checkout_session_id: session.id, transaction_id: transactionOf(session) };
  const customer = { email: "awa@customers.example", phone: "+221 77 123 45 67" };
  const data = { ...ids, customer };
  return new TextEncoder().encode(JSON.stringify({ id: `evt_${number}_${as.id}`, event: name, data }));
}

export function signatureOf(bytes: Uint8Array, secret: string): string {
  return signWebhook(bytes, secret);
}

function transactionOf({ id }: ModelSession): string {
  return `txn_of_${id}`;
}

function falsify(session: ModelSession, wrong: WrongTerms): void {
  const { paid } = session;
  const [what, how] = wrong.split(" ");
  if (what === "amount") paid.wireAmount += how === "more" ? 1 : -1;
  else if (what === "currency") paid.currency = paid.currency === "XOF" ? "USD" : "XOF";
  else if (what === "reference") session.reference = "of-another.shop";
  else if (what === "environment") paid.environment = "live";
  // A session of the key's own organization has no account to compare.
  else if (paid.account !== null) paid.account = "acct_somebody_else";
  if (wrong === "amount unsaid") session.omittedField = "wireAmount";
  if (wrong === "currency unsaid") session.omittedField = "currency";
  if (wrong === "reference unsaid") session.omittedField = "reference";
}

function unavailable(): CheckoutError {
  return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
}
