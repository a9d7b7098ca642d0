import { createManualClock, createSeededRandom, type ManualClock } from "@tillkit/testkit";
import {
  type AutoRefundReason,
  CheckoutError,
  createEngine,
  createMemoryLedger,
  type Engine,
  type Finding,
  type MemoryLedger,
  type Order,
  type Payment,
  type PaymentLedger,
  type Receipt,
  type RefundReading,
  runDue,
  type Service,
  type SessionReading,
  type StoreAdapter,
  type StoreAnswer,
  type WriteClass,
} from "../../src/index.ts";
import { anOrder, REFERENCE_KEY } from "../fixtures.ts";

type MadeRefund = RefundReading & { key: string };

type Session = { id: string; body: Record<string, unknown>; status: string; expiresAt: number; lies: SessionReading };

/** One shop, one key, one service in memory: everything a use-case meets, with knobs for what goes wrong. */
export type SmallWorld = {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly ledger: MemoryLedger;
  readonly service: {
    readonly sessions: Map<string, Session>;
    /** Keys of the POSTs and ids of the reads, in order. */
    readonly posts: { key: string; request: string }[];
    readonly reads: string[];
    /** What the next calls do before anything is taken. */
    fail: "down" | "refuse" | null;
    /** The POST is taken, and its answer is lost, this many times. */
    loseAnswers: number;
    /** What the service gave back, by whomever it was asked. */
    readonly refunds: { -readonly [Field in keyof MadeRefund]: MadeRefund[Field] }[];
    readonly refundPosts: { key: string; request: string }[];
    /** How often its refunds were read. */
    refundReads: number;
    /** Refunds of these ids are in no list yet. */
    readonly unlisted: Set<string>;
    slowRefunds: boolean;
    refuseRefunds: boolean;
    /** How long new sessions live. */
    sessionMs: number;
    pay(sessionId: string): void;
  };
  readonly store: {
    order: Order | null;
    readonly paid: Receipt[];
    /** Payments that were named on an order which its owner had set to paid. */
    readonly named: string[];
    readonly holds: Finding[];
    readonly notes: Map<string, string>;
    /** Refunds that the store was told of, as "id amount status". */
    readonly refunds: string[];
    pendings: number;
    /** Replaces the store's next answer, before or after the effect. */
    next: (() => Promise<StoreAnswer | "go on">)[];
  };
  /** A second process on the same ledger. */
  another(name: string): Engine;
  /** Runs the worker until nothing is due. */
  work(): Promise<void>;
  paymentIn(state: Payment["state"]): Promise<Payment>;
};

export type WorldOptions = {
  readonly writes?: WriteClass;
  readonly autoRefund?: readonly AutoRefundReason[];
  /** What this store has or does differently. */
  readonly store?: Partial<StoreAdapter>;
  /** Stands before the ledger of every process. */
  readonly watchLedger?: (ledger: PaymentLedger) => PaymentLedger;
};

export function createSmallWorld(options: WorldOptions = {}): SmallWorld {
  const { writes = { kind: "conditional" }, autoRefund = [], watchLedger = (ledger) => ledger } = options;
  const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
  const random = createSeededRandom(7);
  const ledger = createMemoryLedger();
  const service = createService(clock);
  const store = createStore();
  const endpoint = { secrets: ["whsec_test"], credentialIds: ["key"], environment: "test" } as const;

  const engineOf = (worker: string): Engine =>
    createEngine({
      ledger: watchLedger(ledger),
      autoRefund: autoRefund,
      clock,
      random,
      worker,
      tenants: {
        credentialFor: async () => ({ id: "key", account: null }),
        service: async () => service.port,
        endpoint: async (id) => (id === "main" ? endpoint : null),
      },
      store: async () => ({ ...store.adapter(writes), ...options.store }),
      log: { info() {}, warn() {}, error() {} },
      referenceKeys: [REFERENCE_KEY],
      returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    });
  const engine = engineOf("one");

  return {
    engine,
    clock,
    ledger,
    service: service.knobs,
    store: store.knobs,
    another: engineOf,
    async work() {
      for (let round = 0; round < 50; round += 1) {
        const { done, retried, dead } = await runDue(engine);
        if (done + retried + dead === 0) return;
      }
    },
    async paymentIn(state) {
      const all = await ledger.siblings({ storeId: "shop", orderId: "1042" });
      const found = all.filter((payment) => payment.state === state);
      const [payment] = found;
      if (found.length !== 1 || !payment) {
        throw new Error(`Expected one ${state} payment, found: ${all.map((one) => one.state).join(", ") || "none"}.`);
      }
      return payment;
    },
  };
}

/** The service forgets an Idempotency-Key after a day. */
const KEY_LIFE_MS = 24 * 60 * 60_000;

function createService(clock: ManualClock) {
  const sessions = new Map<string, Session>();
  const byKey = new Map<string, Session>();
  const knobs: SmallWorld["service"] = {
    sessions,
    posts: [],
    reads: [],
    fail: null,
    loseAnswers: 0,
    refunds: [],
    refundPosts: [],
    refundReads: 0,
    unlisted: new Set(),
    slowRefunds: false,
    refuseRefunds: false,
    sessionMs: 3_600_000,
    pay(sessionId) {
      const session = sessions.get(sessionId);
      if (session) session.status = "completed";
    },
  };

  function failIfAsked(): void {
    if (knobs.fail === "down") throw new CheckoutError("service_unavailable", "down", { retryable: true });
    if (knobs.fail === "refuse") throw new CheckoutError("session_refused", "amount_invalid: too small");
  }

  const port: Service = {
    async openSession({ request, key }) {
      knobs.posts.push({ key, request });
      failIfAsked();
      const known = byKey.get(key);
      if (known && JSON.stringify(known.body) !== request) throw new CheckoutError("session_refused", "reused");
      const session = known ?? {
        id: `session-${sessions.size + 1}`,
        body: JSON.parse(request) as Record<string, unknown>,
        status: "open",
        expiresAt: clock.now() + knobs.sessionMs,
        lies: {},
      };
      byKey.set(key, session);
      sessions.set(session.id, session);
      if (knobs.loseAnswers > 0) {
        knobs.loseAnswers -= 1;
        throw new CheckoutError("service_unavailable", "cut", { retryable: true });
      }
      return { id: session.id, url: `https://pay.service.example/${session.id}`, expiresAt: session.expiresAt };
    },
    async refund({ request, key }) {
      knobs.refundPosts.push({ key, request });
      failIfAsked();
      if (knobs.refuseRefunds) throw new CheckoutError("refund_refused", "conflict");
      const body = JSON.parse(request) as { amount: number; transaction_id: string };
      const keptSince = clock.now() - KEY_LIFE_MS;
      const known = knobs.refunds.find((one) => one.key === key && (one.createdAt ?? 0) >= keptSince);
      const status = knobs.slowRefunds ? "pending" : "completed";
      const made = { key, id: `refund-${knobs.refunds.length + 1}`, status, wireAmount: body.amount } as const;
      const refund = known ?? { ...made, createdAt: clock.now() };
      if (!known) knobs.refunds.push(refund);
      if (knobs.loseAnswers > 0) {
        knobs.loseAnswers -= 1;
        throw new CheckoutError("service_unavailable", "cut", { retryable: true });
      }
      return refund;
    },
    async readTransaction({ id }) {
      for await (const transaction of this.listTransactions({ from: 0, account: null, deadlineMs: 0 })) {
        if (transaction.id === id) return transaction;
      }
      return null;
    },
    async *listTransactions({ from }) {
      failIfAsked();
      for (const { id, body, status } of sessions.values()) {
        const metadata = body.metadata as Record<string, string>;
        if (status !== "completed" || from > clock.now()) continue;
        yield {
          id: `transaction-of-${id}`,
          sessionId: id,
          reference: metadata.tillkit_reference,
          signedOrder: metadata.tillkit_order,
          wireAmount: Number(body.amount),
          currency: String(body.currency_code),
          refundedAmount: knobs.refunds.reduce((sum, { wireAmount }) => sum + wireAmount, 0),
          status,
        };
      }
    },
    async readRefunds() {
      knobs.refundReads += 1;
      failIfAsked();
      return knobs.refunds.filter(({ id }) => !knobs.unlisted.has(id));
    },
    async readSession(payment) {
      knobs.reads.push(payment.id);
      failIfAsked();
      const session = sessions.get(payment.session?.id ?? "");
      if (!session) return {};
      if (session.status === "open" && clock.now() >= session.expiresAt) session.status = "expired";
      const metadata = session.body.metadata as Record<string, string>;
      return {
        id: session.id,
        status: session.status,
        wireAmount: Number(session.body.amount),
        currency: String(session.body.currency_code),
        reference: metadata.tillkit_reference,
        environment: "test",
        transactionId: session.status === "completed" ? `transaction-of-${session.id}` : undefined,
        ...session.lies,
      };
    },
  };
  return { port, knobs };
}

function createStore() {
  const knobs: SmallWorld["store"] = {
    order: anOrder(),
    paid: [],
    named: [],
    holds: [],
    notes: new Map(),
    refunds: [],
    pendings: 0,
    next: [],
  };

  function pay(receipt: Receipt): StoreAnswer {
    const { order } = knobs;
    if (!order) return { outcome: "gone", detail: "no such order" };
    if (order.paidBy === receipt.paymentId) return { outcome: "already", evidence: "read-back" };
    if (order.paidBy === "owner" && receipt.alreadyPaid) {
      knobs.named.push(receipt.paymentId);
      knobs.order = { ...order, paidBy: receipt.paymentId };
      return { outcome: "recorded", evidence: "read-back" };
    }
    if (order.paidBy !== null) return { outcome: "other-payment", detail: order.paidBy };
    if (!order.payable) return { outcome: "not-payable", detail: "cancelled" };
    knobs.paid.push(receipt);
    knobs.order = { ...order, paidBy: receipt.paymentId, payable: false };
    return { outcome: "recorded", evidence: "read-back" };
  }

  const adapter = (writes: WriteClass): StoreAdapter => ({
    platform: "small",
    writes,
    findOrder: async () => knobs.order,
    async markPaid(receipt) {
      const instead = await knobs.next.shift()?.();
      return instead === undefined || instead === "go on" ? pay(receipt) : instead;
    },
    holdForReview: async (_ref, _attempt, finding) => {
      knobs.holds.push(finding);
    },
    shopperUrl: async (_ref, _attempt, outcome) => `https://shop.example/order?${outcome}`,
    markPending: async () => {
      knobs.pendings += 1;
    },
    recordRefund: async ({ refundId, amount, status }) => {
      knobs.refunds.push(`${refundId} ${amount.minor} ${status}`);
      return { outcome: "recorded", evidence: "read-back" };
    },
    addNote: async (_ref, key, text) => {
      knobs.notes.set(key, text);
    },
  });
  return { knobs, adapter };
}
