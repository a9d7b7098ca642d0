import {
  CheckoutError,
  type Clock,
  type Environment,
  type Payment,
  type RefundReading,
  type SessionReading,
} from "@tillkit/core";
import type { LoggedEvent, Service } from "@tillkit/core/hosts";
import { disputeEvent, type ModelEvent, refundEvent, successEvent } from "./events.ts";
import {
  createModelMoney,
  type DisputedAmount,
  type DisputeState,
  type ModelDispute,
  type ModelMoney,
  type ModelRefund,
  type ModelTransaction,
} from "./service-money.ts";
import type { ServiceTraits } from "./service-traits.ts";
import type { WrongTerms } from "./steps.ts";

export type ModelSession = {
  readonly id: string;
  /** The Idempotency-Key, which is the id of the payment. */
  readonly key: string;
  readonly request: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly requestedReference: string;
  readonly requestedAccount: string | null;
  readonly signedOrder: string | undefined;
  reference: string;
  /** The field that readings omit. */
  omittedField: keyof SessionReading | null;
  readonly expiresAt: number;
  readonly paid: { wireAmount: number; currency: string; account: string | null; environment: Environment };
  completedAt: number | null;
};

/** The service of the model: its sessions, money and events. Times in milliseconds since 1970. */
export type ModelService = {
  readonly port: Service;
  readonly traits: ServiceTraits;
  readonly sessions: readonly ModelSession[];
  readonly money: Pick<ModelMoney, "transactions" | "refunds" | "disputes">;
  readonly events: readonly ModelEvent[];
  /** The attempts to deliver genuine events, oldest first. */
  readonly deliveryLog: LoggedEvent[];
  /** Wrong calls by the engine, which leave no other trace. */
  readonly misuses: readonly string[];
  /** The number of calls by payment. */
  readonly calls: Map<string, { opens: number; reads: number }>;
  /** The number of all calls. */
  callCount(): number;
  pay(session: ModelSession, wrong?: WrongTerms): void;
  /** A completed session receives a second transaction. */
  payAgain(session: ModelSession): void;
  /** Another integration on the same key sells something for the amount of this session. */
  sellElsewhere(session: ModelSession): void;
  refundInDashboard(transaction: ModelTransaction, all: boolean): void;
  dispute(transaction: ModelTransaction, amount: DisputedAmount): void;
  changeDispute(dispute: ModelDispute, state: DisputeState): void;
  /** Makes the next calls fail before or after they take effect. */
  failNext(how: "down" | "answer lost", calls: number): void;
  heal(): void;
  /** Forgets what the engine did before its ledger was replaced, which is no misuse afterwards. */
  forgetEngine(): void;
  /** New events are signed with a new secret. */
  rotateSecret(): void;
  /** The valid secrets, newest first. */
  secrets(): readonly string[];
};

const SESSION_MS = 60 * 60_000;

export function createModelService(clock: Clock, traits: ServiceTraits): ModelService {
  const sessions: ModelSession[] = [];
  const money = createModelMoney(clock, traits);
  const events: ModelEvent[] = [];
  const deliveryLog: LoggedEvent[] = [];
  const misuses: string[] = [];
  /** The key of the unanswered refund by transaction. */
  const unanswered = new Map<string, string>();
  const calls = new Map<string, { opens: number; reads: number }>();
  let secrets = ["whsec_model_1"];
  let secretCount = 1;
  let faults: ("down" | "answer lost")[] = [];
  let callCount = 0;

  function send(facts: Omit<ModelEvent, "secret" | "number">): void {
    events.push({ ...facts, secret: secrets[0] ?? "", number: events.length + 1 });
  }

  function receive(session: ModelSession): void {
    const { paid, requestedAccount: account } = session;
    const { wireAmount, currency } = paid;
    send(successEvent(money.receive({ session, wireAmount, currency, account }), traits, money));
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
    const reference = body.metadata.tillkit_reference ?? "";
    const session: ModelSession = {
      id: `cs_${sessions.length + 1}`,
      key,
      request,
      metadata: body.metadata,
      requestedReference: reference,
      requestedAccount: account,
      signedOrder: body.metadata.tillkit_order,
      reference,
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
      ...(completedAt === null ? {} : { transactionId: namedBy(session) }),
    };
    return omittedField === null ? reading : { ...reading, [omittedField]: undefined };
  }

  // A session names the newest of its transactions.
  function namedBy(session: ModelSession): string | undefined {
    const newest = money.transactions.findLast((transaction) => transaction.session === session);
    return newest === undefined || traits.reads === "nothing" ? undefined : money.nameOf(newest);
  }

  function refundOrRefusal(request: string, key: string): RefundReading | CheckoutError {
    try {
      const before = money.refunds.length;
      const made = money.refund(request, key);
      if (money.refunds.length > before) send(refundEvent(made, traits, money));
      return money.refundReading(made);
    } catch (error) {
      if (error instanceof CheckoutError) return error;
      throw error;
    }
  }

  const sessionOf = (payment: Pick<Payment, "session">) => sessions.find(({ id }) => id === payment.session?.id);

  return {
    traits,
    sessions,
    money,
    events,
    deliveryLog,
    misuses,
    calls,
    callCount: () => callCount,
    pay(session, wrong) {
      if (session.completedAt !== null) return;
      session.completedAt = clock.now();
      if (wrong) falsify(session, wrong);
      receive(session);
    },
    payAgain(session) {
      if (session.completedAt !== null) receive(session);
    },
    sellElsewhere({ paid: { wireAmount, currency }, requestedAccount: account }) {
      send(successEvent(money.receive({ session: null, wireAmount, currency, account }), traits, money));
    },
    refundInDashboard(transaction, all) {
      const made = money.refundInDashboard(transaction, all);
      if (made) send(refundEvent(made, traits, money));
    },
    dispute(transaction, amount) {
      send(disputeEvent(money.dispute(transaction, amount), traits, money, { isNew: true, at: clock.now() }));
    },
    changeDispute(dispute, state) {
      dispute.state = state;
      send(disputeEvent(dispute, traits, money, { isNew: false, at: clock.now() }));
    },
    failNext: (how, count) => {
      for (let index = 0; index < count; index += 1) faults.push(how);
    },
    heal: () => {
      faults = [];
    },
    forgetEngine: () => {
      calls.clear();
      unanswered.clear();
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
        const body = JSON.parse(request) as { transaction_id: string };
        const transactionId = money.find(body.transaction_id)?.id ?? "";
        const unansweredKey = unanswered.get(transactionId) ?? key;
        if (unansweredKey !== key)
          misuses.push(`I1 the refund ${key} was sent while ${unansweredKey} was still in doubt`);
        unanswered.set(transactionId, key);
        const answer = await call(() => refundOrRefusal(request, key));
        unanswered.delete(transactionId);
        if (answer instanceof CheckoutError) throw answer;
        return answer;
      },
      readRefunds: async (_payment, { transactionId, transactionCode, since }) => {
        const transaction = money.find(transactionId) ?? money.find(transactionCode ?? "");
        const isListed = (refund: ModelRefund) => refund.transaction === transaction && refund.at >= since;
        const made = await call(() => money.refunds.filter(isListed));
        unanswered.delete(transaction?.id ?? "");
        return { refunds: made.map(money.refundReading), unassigned: [], elsewhere: [], isComplete: true };
      },
      readTransaction: ({ id, account }) =>
        call(() => {
          const transaction = money.find(id);
          const isShown = account === null || transaction?.account === account;
          return transaction && isShown ? money.transactionReading(transaction) : null;
        }),
      async *listDeliveredEvents({ since }) {
        yield* await call(() => deliveryLog.filter(({ at }) => at >= since).toReversed());
      },
      async *listTransactions() {
        yield* await call(() => money.transactions.map(money.transactionReading));
      },
    },
  };
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
