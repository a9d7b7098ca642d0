import { CheckoutError, type SessionReading } from "@tillkit/core";
import type { LoggedEvent, Service, TransactionReading } from "@tillkit/core/hosts";
import { happens } from "./hazards/random-choice.ts";
import type { SimulatedDispute } from "./service-disputes.ts";
import { createCalls, type ServiceOptions, unavailable } from "./service-network.ts";
import {
  declinedReading,
  declinedTransactionOf,
  refundReading,
  refundRows,
  type SessionTerms,
  type SimulatedRefund,
  type SimulatedSession,
  type SimulatedTransaction,
  sessionReading,
  statusOf,
  transactionFor,
  transactionReading,
  withoutDetails,
} from "./service-readings.ts";
import { createServiceRefunds } from "./service-refunds.ts";

export type CallCount = { opens: number; reads: number };

/** The simulated service: sessions by Idempotency-Key, with slow and unreliable calls that still take effect. */
export type SimulatedService = {
  readonly port: Service;
  readonly sessions: SimulatedSession[];
  /** All completed transactions, also those of other integrations. */
  readonly transactions: SimulatedTransaction[];
  readonly refunds: readonly SimulatedRefund[];
  readonly disputes: SimulatedDispute[];
  /** The numbers of calls, by payment id. */
  readonly calls: Map<string, CallCount>;
  /** How often each transaction was read, by its id. */
  readonly transactionReads: Map<string, number>;
  /** The deliveries that were tried, oldest first. */
  readonly deliveryLog: LoggedEvent[];
  /** The number of calls so far, also of calls for no payment. */
  totalCalls(): number;
  sessionOf(paymentId: string): SimulatedSession | null;
  /** Completes a session with these terms instead of the requested terms. */
  complete(session: SimulatedSession, wrongTerms: Partial<SessionTerms>): SimulatedTransaction;
  /** A completed session receives one more completed transaction. */
  completeAgain(session: SimulatedSession): SimulatedTransaction;
  /** The owner refunds a transaction in the service's dashboard. */
  refundInDashboard(transaction: SimulatedTransaction, amount: number): SimulatedRefund | null;
};

const SESSION_MS = 60 * 60_000;
/** How many reads shortly after a payment still show the state before the payment. */
const STALE_READS_PROBABILITY = 0.7;

export function createSimulatedService(options: ServiceOptions): SimulatedService {
  const { clock, random, hazardRandom } = options;
  const naming = () => options.money().naming;
  const sessions: SimulatedSession[] = [];
  const transactions: SimulatedTransaction[] = [];
  const disputes: SimulatedDispute[] = [];
  const requestsByKey = new Map<string, string>();
  const findTransaction = (name: string) =>
    transactions.find(({ id, code }) => [id, code].includes(name.toLowerCase())) ?? null;
  const made = createServiceRefunds(options, findTransaction, disputes);
  const calls = new Map<string, CallCount>();
  const transactionReads = new Map<string, number>();
  const deliveryLog: LoggedEvent[] = [];
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
    const known = sessions.findLast(
      (session) => session.key === key && clock.now() < session.createdAt + options.keyLifeMs,
    );
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
      transactions: [],
    };
    sessions.push(session);
    requestsByKey.set(key, request);
    if (happens(hazardRandom, options.hazards().omitsIds)) {
      throw new CheckoutError("session_refused", "The service answered without the session's id.");
    }
    return session;
  }

  function receive(session: SimulatedSession): SimulatedTransaction {
    const transaction = transactionFor(session, clock.now());
    session.transactions.push(transaction);
    transactions.push(transaction);
    return transaction;
  }

  function read(id: string): SessionReading {
    const session = sessions.find((candidate) => candidate.id === id);
    if (!session || isForgotten(session.createdAt) || findsNothing()) return {};
    const isShownPaid = session.completedAt !== null && !isStale(session.completedAt);
    const status = statusOf(session, isShownPaid, clock.now());
    const isPartial = happens(random, options.hazards().partialReads);
    const payingTransaction = isShownPaid ? namedBySession(session) : undefined;
    const transactionId = happens(hazardRandom, options.hazards().declined)
      ? declinedTransactionOf(session)
      : payingTransaction;
    const terms = sessionReading(isShownPaid ? session.paidTerms : session.requestedTerms);
    const reading = { id, status, ...terms, signedOrder: session.metadata.tillkit_order };
    return isPartial ? withoutDetails(reading) : { ...reading, transactionId };
  }

  /** A session names the newest of its transactions. */
  function namedBySession({ transactions: own }: SimulatedSession): string | undefined {
    const { transaction } = naming();
    return transaction === null ? undefined : own.at(-1)?.[transaction];
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
    return clock.now() - madeAt >= options.hazards().listLagMs && !isForgotten(madeAt);
  }

  function isForgotten(madeAt: number): boolean {
    return clock.now() - madeAt >= options.memoryMs;
  }

  /** Each declined attempt is listed before the attempt that paid. Both carry our reference. */
  function listedTransactions(): TransactionReading[] {
    const completed = transactions
      .filter(({ completedAt }) => isListed(completedAt))
      .map((transaction) => ({ transaction, reading: transactionReading(transaction, naming()) }));
    if (options.hazards().declined === 0) return completed.map(({ reading }) => reading);
    const ofSessions = sessions.flatMap((session) => [
      declinedReading(session, naming()),
      ...completed.filter(({ transaction }) => transaction.session === session).map(({ reading }) => reading),
    ]);
    const ofOthers = completed.filter(({ transaction }) => transaction.session === null);
    return [...ofSessions, ...ofOthers.map(({ reading }) => reading)];
  }

  return {
    sessions,
    transactions,
    refunds: made.refunds,
    disputes,
    calls,
    transactionReads,
    deliveryLog,
    totalCalls: () => totalCalls,
    sessionOf: (paymentId) => sessions.find(({ key }) => key === paymentId) ?? null,
    complete(session, wrongTerms) {
      session.completedAt = clock.now();
      session.paidTerms = { ...session.paidTerms, ...wrongTerms };
      return receive(session);
    },
    completeAgain: receive,
    refundInDashboard: made.makeInDashboard,
    port: {
      openSession: async ({ request, key, account, deadlineMs, sendBy = Number.POSITIVE_INFINITY }) => {
        if (options.isTooLate(sendBy)) throw unavailable();
        return await call(deadlineMs, () => {
          countPaymentCall(key, "opens");
          const { id, expiresAt } = open(request, key, account);
          return { id, url: `https://pay.service.example/${id}`, expiresAt };
        });
      },
      readSession: ({ id, session }, deadlineMs) =>
        call(deadlineMs, () => {
          countPaymentCall(id, "reads");
          return read(session?.id ?? "");
        }),
      refund: async ({ request, key, account, deadlineMs, sendBy }) => {
        if (options.isTooLate(sendBy)) throw unavailable();
        return await call(deadlineMs, () => {
          countCall();
          return refundReading(made.request({ request, key, account }), naming());
        });
      },
      readRefunds: (_payment, { transactionId, transactionCode, since, deadlineMs }) =>
        call(deadlineMs, () => {
          countCall();
          const transaction = findTransaction(transactionId) ?? findTransaction(transactionCode ?? "");
          const quirks = options.hazards();
          const isInRange = ({ createdAt }: SimulatedRefund) => createdAt + quirks.refundClockMs >= since;
          const listed = made.refunds.filter((refund) => isInRange(refund) && isListed(refund.createdAt));
          const rowsOf = (refunds: readonly SimulatedRefund[]) => refundRows(refunds, quirks, naming());
          const list = rowsOf(listed.filter((refund) => refund.transaction === transaction));
          const others = rowsOf(listed.filter((refund) => refund.transaction !== transaction)).refunds;
          return { ...list, elsewhere: others.filter(({ reason = "" }) => /^tk/i.test(reason)) };
        }),
      readTransaction: ({ id, account, deadlineMs }) =>
        call(deadlineMs, () => {
          countCall();
          if (findsNothing()) return null;
          const declined = sessions.find((session) => declinedTransactionOf(session) === id);
          if (declined) return declinedReading(declined, naming());
          const transaction = findTransaction(id);
          if (transaction === null || isForgotten(transaction.completedAt)) return null;
          transactionReads.set(transaction.id, (transactionReads.get(transaction.id) ?? 0) + 1);
          if (transaction.account !== account && account !== null) return null;
          return {
            ...transactionReading(transaction, naming()),
            refundedAmount: made.completedAmount(transaction),
          };
        }),
      async *listDeliveredEvents({ since, deadlineMs }) {
        yield* await call(deadlineMs, () => deliveryLog.filter(({ at }) => at >= since).toReversed());
      },
      async *listTransactions({ deadlineMs }) {
        yield* await call(deadlineMs, listedTransactions);
      },
    },
  };
}
