import { CheckoutError, type Service, type SessionReading, type TransactionReading } from "@tillkit/core";
import { happens, randomMs } from "./hazards/random-choice.ts";
import { createCalls, type ServiceOptions, unavailable } from "./service-network.ts";
import {
  declinedReading,
  declinedTransactionOf,
  refundReading,
  refundRows,
  type SessionTerms,
  type SimulatedRefund,
  type SimulatedSession,
  sessionReading,
  statusOf,
  transactionOf,
  transactionReading,
  withoutDetails,
} from "./service-readings.ts";

export type CallCount = { opens: number; reads: number };

/** The simulated service: sessions by Idempotency-Key, with slow and unreliable calls that still take effect. */
export type SimulatedService = {
  readonly port: Service;
  readonly sessions: SimulatedSession[];
  readonly refunds: SimulatedRefund[];
  /** The numbers of calls, by payment id. */
  readonly calls: Map<string, CallCount>;
  /** The number of calls so far, also of calls for no payment. */
  totalCalls(): number;
  sessionOf(paymentId: string): SimulatedSession | null;
  /** Completes a session with these terms instead of the requested terms. */
  complete(session: SimulatedSession, wrongTerms: Partial<SessionTerms>): void;
  /** The owner refunds a session in the service's dashboard. */
  refundInDashboard(session: SimulatedSession, amount: number): SimulatedRefund | null;
};

const SESSION_MS = 60 * 60_000;
/** How long the service remembers an Idempotency-Key. */
const KEY_LIFE_MS = 24 * 60 * 60_000;
const MAX_REFUND_WAIT_MS = 20 * 60_000;
/** How many reads shortly after a payment still show the state before the payment. */
const STALE_READS_PROBABILITY = 0.7;

export function createSimulatedService(options: ServiceOptions): SimulatedService {
  const { clock, random, hazardRandom, refundRandom } = options;
  const sessions: SimulatedSession[] = [];
  const requestsByKey = new Map<string, string>();
  const refunds: SimulatedRefund[] = [];
  const calls = new Map<string, CallCount>();
  const call = createCalls(options);
  let totalCalls = 0;

  function countCall(): void {
    totalCalls += 1;
  }

  function countPaymentCall(paymentId: string, kind: keyof CallCount): void {
    countCall();
    const counted = calls.get(paymentId) ?? { opens: 0, reads: 0 };
    counted[kind] += 1;
    calls.set(paymentId, counted);
  }

  function open(request: string, key: string, account: string | null): SimulatedSession {
    const known = sessions.findLast((session) => session.key === key && clock.now() < session.createdAt + KEY_LIFE_MS);
    if (known) {
      if (happens(hazardRandom, options.hazards().rejectsRetries)) {
        throw new CheckoutError("session_refused", "The service answered conflict.");
      }
      if (requestsByKey.get(key) === request) return known;
      throw new CheckoutError("session_refused", "The service answered idempotency_key_reused.");
    }
    if (happens(random, options.hazards().refused)) {
      throw new CheckoutError("session_refused", "The service answered 422: provider_not_available.");
    }
    const body = JSON.parse(request) as { amount: number; currency_code: string; metadata: Record<string, string> };
    const { amount, currency_code: currency, metadata } = body;
    const reference = metadata.tillkit_reference ?? "";
    const terms: SessionTerms = { amount, currency, reference, account, environment: "test" };
    const session: SimulatedSession = {
      id: `cs_${random.uuid()}`,
      key,
      createdAt: clock.now(),
      expiresAt: clock.now() + SESSION_MS,
      metadata,
      completedAt: null,
      requestedTerms: terms,
      paidTerms: terms,
    };
    sessions.push(session);
    requestsByKey.set(key, request);
    if (happens(hazardRandom, options.hazards().omitsIds)) {
      throw new CheckoutError("session_refused", "The service answered without the session's id.");
    }
    return session;
  }

  function refund(request: string, key: string): SimulatedRefund {
    const known = refunds.findLast((refund) => refund.key === key && clock.now() < refund.createdAt + KEY_LIFE_MS);
    const isRejected = known?.isLost === true && options.hazards().lostRefunds > 0;
    if (known && (isRejected || happens(hazardRandom, options.hazards().rejectsRetries))) {
      throw new CheckoutError("refund_refused", "The service answered conflict.");
    }
    if (known) return known;
    const body = JSON.parse(request) as { amount: number; transaction_id: string };
    const session = sessions.find((candidate) => transactionOf(candidate) === body.transaction_id);
    const made = session && makeRefund(session, body.amount, key);
    if (!made) throw new CheckoutError("refund_refused", "The service answered 422: amount_invalid.");
    // The answer lacks the refund's id, so the caller does not know whether the refund was made.
    if (happens(hazardRandom, options.hazards().omitsIds)) throw unavailable();
    made.isLost = happens(refundRandom, options.hazards().lostRefunds);
    if (made.isLost) throw unavailable();
    return made;
  }

  function makeRefund(session: SimulatedSession, amount: number, key: string | null): SimulatedRefund | null {
    const { failedRefunds, pendingRefunds } = options.hazards();
    const earlier = refunds.filter((refund) => refund.session === session && refund.status !== "failed");
    const refundedAmount = earlier.reduce((sum, refund) => sum + refund.amount, 0);
    if (refundedAmount + amount > session.paidTerms.amount || session.completedAt === null) return null;
    const now = clock.now();
    const refund: SimulatedRefund = {
      id: `re_${random.uuid()}`,
      key,
      session,
      amount,
      createdAt: now,
      place: refundRandom.fraction(),
      isLost: false,
      status: "pending",
      completedAt: null,
    };
    refunds.push(refund);
    const status = happens(random, failedRefunds) ? "failed" : "completed";
    if (happens(random, pendingRefunds)) {
      clock.setTimer(randomMs(random, MAX_REFUND_WAIT_MS), () => decideAndNotify(refund, status));
    } else {
      decide(refund, status, now);
    }
    return refund;
  }

  function decideAndNotify(refund: SimulatedRefund, status: "completed" | "failed"): void {
    decide(refund, status, clock.now());
    options.onRefundDecided(refund);
  }

  function refundedAmountOf(session: SimulatedSession): number {
    const completed = refunds.filter((refund) => refund.session === session && refund.status === "completed");
    return completed.reduce((sum, refund) => sum + refund.amount, 0);
  }

  function read(id: string): SessionReading {
    const session = sessions.find((candidate) => candidate.id === id);
    if (!session || findsNothing()) return {};
    const isShownPaid = session.completedAt !== null && !isStale(session.completedAt);
    const status = statusOf(session, isShownPaid, clock.now());
    const isPartial = happens(random, options.hazards().partialReads);
    const payingTransaction = isShownPaid ? transactionOf(session) : undefined;
    const transactionId = happens(hazardRandom, options.hazards().declined)
      ? declinedTransactionOf(session)
      : payingTransaction;
    const reading = { id, status, ...sessionReading(isShownPaid ? session.paidTerms : session.requestedTerms) };
    return isPartial ? withoutDetails(reading) : { ...reading, transactionId };
  }

  /** Whether a read finds nothing although the object exists. */
  function findsNothing(): boolean {
    const { emptyReads, emptyReadsPeriod } = options.hazards();
    if (emptyReadsPeriod !== null) {
      const sincePeriodStart = clock.now() - options.startedAt - emptyReadsPeriod.fromMs;
      if (sincePeriodStart >= 0 && sincePeriodStart < emptyReadsPeriod.lastsMs) return true;
    }
    return happens(hazardRandom, emptyReads);
  }

  function isStale(changedAt: number): boolean {
    return clock.now() - changedAt < options.hazards().staleMs && happens(hazardRandom, STALE_READS_PROBABILITY);
  }

  function isListed(madeAt: number): boolean {
    return clock.now() - madeAt >= options.hazards().listLagMs;
  }

  /** Each declined attempt is listed before the attempt that paid. Both carry our reference. */
  function listedTransactions(): TransactionReading[] {
    const paying = sessions
      .filter(({ completedAt }) => completedAt !== null && isListed(completedAt))
      .map(transactionReading);
    if (options.hazards().declined === 0) return paying;
    return sessions.flatMap((session) => [
      declinedReading(session),
      ...paying.filter(({ sessionId }) => sessionId === session.id),
    ]);
  }

  return {
    sessions,
    refunds,
    calls,
    totalCalls: () => totalCalls,
    sessionOf: (paymentId) => sessions.find(({ key }) => key === paymentId) ?? null,
    complete(session, wrongTerms) {
      session.completedAt = clock.now();
      session.paidTerms = { ...session.paidTerms, ...wrongTerms };
    },
    refundInDashboard: (session, amount) => makeRefund(session, amount, null),
    port: {
      openSession: ({ request, key, account, deadlineMs }) =>
        call(deadlineMs, () => {
          countPaymentCall(key, "opens");
          const { id, expiresAt } = open(request, key, account);
          return { id, url: `https://pay.service.example/${id}`, expiresAt };
        }),
      readSession: ({ id, session }, deadlineMs) =>
        call(deadlineMs, () => {
          countPaymentCall(id, "reads");
          return read(session?.id ?? "");
        }),
      refund: ({ request, key, deadlineMs }) =>
        call(deadlineMs, () => {
          countCall();
          return refundReading(refund(request, key));
        }),
      readRefunds: (_payment, { transactionId, since, deadlineMs }) =>
        call(deadlineMs, () => {
          countCall();
          const made = refunds.filter(({ session }) => transactionOf(session) === transactionId);
          const quirks = options.hazards();
          const isInRange = ({ createdAt }: SimulatedRefund) => createdAt + quirks.refundClockMs >= since;
          return refundRows(
            made.filter((refund) => isInRange(refund) && isListed(refund.createdAt)),
            quirks,
          );
        }),
      readTransaction: ({ id, deadlineMs }) =>
        call(deadlineMs, () => {
          countCall();
          if (findsNothing()) return null;
          const declined = sessions.find((session) => declinedTransactionOf(session) === id);
          if (declined) return declinedReading(declined);
          const paid = sessions.find((session) => session.completedAt !== null && transactionOf(session) === id);
          return paid ? { ...transactionReading(paid), refundedAmount: refundedAmountOf(paid) } : null;
        }),
      async *listDeliveredEvents() {},
      async *listTransactions({ deadlineMs }) {
        yield* await call(deadlineMs, listedTransactions);
      },
    },
  };
}

function decide(refund: SimulatedRefund, status: "completed" | "failed", now: number): void {
  refund.status = status;
  refund.completedAt = status === "completed" ? now : null;
}
