import {
  CheckoutError,
  createEngine,
  type Dispute,
  NEW_PAYMENT_DEFAULTS,
  type Payment,
  type Refund,
  silentLog,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { createMemoryLedger, type MemoryLedger } from "@tillkit/core/memory";
import { expect, it } from "vitest";
import {
  decideMoney,
  explainEquation,
  explainRefusedRefund,
  isAsSeen,
  moneyDecisions,
  paymentsToDecide,
} from "../../src/index.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 28, 9);
const xof = (minor: number) => ({ minor, currency: "XOF" });

const payment: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "payment-1",
  ref: { storeId: "boutique", orderId: "1042" },
  orderNumber: "1042",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "test",
  createdAt: NOW - 48 * HOUR,
  amountDue: xof(32_500),
  wireAmount: 32_500,
  request: "{}",
  reference: "payment-1.signed",
  session: { id: "cs_1", url: "https://pay.example/cs_1", expiresAt: NOW },
  amountReceived: xof(32_500),
  transactionId: "tx-1",
  state: "recorded",
};

const refund: Refund = {
  key: "refund-1",
  paymentId: payment.id,
  origin: "store",
  amount: xof(5_000),
  request: "{}",
  transactionId: "tx-1",
  state: "completed",
  refundId: "rf-1",
  requestedAt: NOW - HOUR,
  readOnlySince: null,
  otherKeys: [],
  mark: null,
  markReadAt: null,
  unmarkedKey: null,
};

const dispute: Dispute = {
  id: "dp-1",
  paymentId: payment.id,
  transactionId: "tx-1",
  amount: xof(26_000),
  reason: "fraudulent",
  status: "closed",
  outcome: "lost",
  evidenceDueBy: null,
  openedAt: NOW - 2 * HOUR,
  updatedAt: NOW - HOUR,
};

const decisionsWith = (refunds: readonly Refund[], disputes: readonly Dispute[] = []) =>
  moneyDecisions(payment, { transactions: [], refunds, disputes }, NOW);

async function ledgerWith(
  changed: Partial<Payment>,
  refunds: readonly Refund[] = [],
  disputes: readonly Dispute[] = [],
): Promise<MemoryLedger> {
  const ledger = createMemoryLedger();
  const next = { ...payment, ...changed };
  await ledger.commit({ payment: { next, expect: "new" }, refunds, disputes, timeline: [] });
  return ledger;
}

function engineOn(ledger: MemoryLedger) {
  return createEngine({
    ledger,
    tenants: {} as never,
    store: async () => {
      throw new Error("No store is needed here.");
    },
    clock: { ...systemClock, now: () => NOW },
    random: systemRandom,
    log: silentLog,
    referenceKeys: ["a key of the tests that signs references"],
    returnUrls: () => ({ success: "https://shop.example", cancel: "https://shop.example" }),
    decisionUrl: ({ id }) => `https://shop.example/decide/${id}`,
  });
}

it("a refund and a lost dispute leave what neither of them took, in both languages", () => {
  const { equation, overDispute } = decisionsWith([refund], [dispute]);
  expect(equation.available).toEqual(xof(1_500));
  expect(overDispute).toEqual({ disputed: xof(26_000), atMost: xof(27_500) });
  expect(explainEquation(equation, "en")).toMatch(/26.000.* disputed: 1.500.* can be refunded\.$/);
  expect(explainEquation(equation, "fr")).toMatch(/26.000.* contestés : 1.500.* peuvent être remboursés\.$/);
});

it("a dispute after a full refund is a shortfall, and a payment that lost nothing needs no sentence", () => {
  const { equation, overDispute } = decisionsWith([{ ...refund, amount: xof(32_500) }], [dispute]);
  expect([equation.available.minor, overDispute]).toEqual([-26_000, null]);
  expect(explainEquation(equation, "en")).toMatch(/: 26.000.* more left than arrived\.$/);
  expect(explainEquation(decisionsWith([]).equation, "en")).toBeNull();
});

it("a person is asked about a refund only after the engine had the time to settle it", () => {
  const sentAgo = (ms: number) => ({ ...refund, state: "unknown", requestedAt: NOW - ms }) as const;
  expect(decisionsWith([sentAgo(60_000)]).refundsInDoubt).toEqual([]);
  expect(decisionsWith([sentAgo(HOUR)]).refundsInDoubt).toHaveLength(1);
});

it("what a person saw changes with each movement, and not with a repeat, a poll or a first reading", () => {
  const seen = (refunds: readonly Refund[], disputes: readonly Dispute[] = []) => decisionsWith(refunds, disputes).seen;
  expect(seen([{ ...refund, state: "requested" }])).toBe(seen([{ ...refund, state: "unknown", readOnlySince: NOW }]));
  expect(seen([], [dispute])).toBe(seen([], [{ ...dispute, updatedAt: NOW }]));
  const transaction = { id: "tx-1", code: null, paymentId: payment.id, amount: xof(32_500), at: NOW };
  const read = { ...transaction, isRead: true, evidence: "identity" } as const;
  const nothing = { refunds: [], disputes: [] };
  expect(moneyDecisions({ ...payment, version: 9, checks: 4 }, { ...nothing, transactions: [read] }, NOW).seen).toBe(
    seen([]),
  );
  const views = [seen([]), seen([refund]), seen([{ ...refund, state: "failed" }]), seen([refund], [dispute])];
  expect(new Set([...views, seen([refund], [{ ...dispute, outcome: "won" }])]).size).toBe(5);
});

it("a person who has looked ends a refund in doubt once, and their name stays in the timeline", async () => {
  const ledger = await ledgerWith({}, [{ ...refund, state: "unknown", refundId: null }]);
  const engine = engineOn(ledger);
  const { seen } = moneyDecisions(
    payment,
    { transactions: [], refunds: await ledger.refunds(payment.id), disputes: [] },
    NOW,
  );
  const decision = {
    kind: "refundOutcome",
    refundKey: refund.key,
    wasMade: false,
    by: "shop_manager #7",
    seen,
  } as const;
  expect(await decideMoney(engine, payment.id, { ...decision, seen: "something else" })).toEqual({
    status: "outdated",
  });
  expect(await decideMoney(engine, payment.id, { ...decision, refundKey: "other" })).toEqual({ status: "outdated" });
  expect(await decideMoney(engine, payment.id, decision)).toEqual({ status: "done", refund: null });
  expect((await ledger.refunds(payment.id)).map(({ state }) => state)).toEqual(["failed"]);
  expect(JSON.stringify(await ledger.timeline({ paymentId: payment.id }))).toContain("shop_manager #7");
  expect(await isAsSeen(engine, payment.id, seen)).toBe(false);
  expect(await decideMoney(engine, payment.id, { ...decision, wasMade: true })).toEqual({ status: "outdated" });
});

it("a dispute that ended without an outcome is won when a person says so, and the payment is not lost any more", async () => {
  const undecided = { ...dispute, outcome: null, amount: xof(32_500) };
  const ledger = await ledgerWith({ lostToDispute: true }, [], [undecided]);
  expect((await paymentsToDecide(ledger, "boutique", NOW)).map(({ id }) => id)).toEqual([payment.id]);
  expect(await paymentsToDecide(ledger, "other", NOW)).toEqual([]);
  const { seen } = moneyDecisions(payment, { transactions: [], refunds: [], disputes: [undecided] }, NOW);
  const decision = { kind: "dispute", disputeId: dispute.id, outcome: "won", by: "user_01", seen } as const;
  expect(await decideMoney(engineOn(ledger), payment.id, decision)).toMatchObject({ status: "done" });
  expect(await ledger.find({ id: payment.id })).toMatchObject({ lostToDispute: false });
  expect(await paymentsToDecide(ledger, "boutique", NOW)).toEqual([]);
});

it("a lost payment waits for a person for thirty days after its dispute", async () => {
  const ledger = await ledgerWith({ lostToDispute: true }, [], [{ ...dispute, amount: xof(32_500) }]);
  expect(await paymentsToDecide(ledger, "boutique", NOW + 29 * 24 * HOUR)).toHaveLength(1);
  expect(await paymentsToDecide(ledger, "boutique", NOW + 31 * 24 * HOUR)).toEqual([]);
});

it("a refund that a person must decide is explained in the owner's language with the link, and no other error is", async () => {
  const engine = engineOn(await ledgerWith({}, [refund], [dispute]));
  const overDispute = new CheckoutError(
    "refund_over_dispute",
    "The sums. Confirm: https://shop.example/decide/payment-1",
  );
  expect(await explainRefusedRefund(engine, payment, overDispute, "en")).toBe(overDispute.message);
  const inFrench = await explainRefusedRefund(engine, payment, overDispute, "fr");
  expect(inFrench).toMatch(
    /contestés : 1.500.* peuvent être remboursés\. Décidez ici : https:\/\/shop\.example\/decide\/payment-1$/,
  );
  const unknown = new CheckoutError("transaction_unknown", "Nothing names it.");
  expect(await explainRefusedRefund(engine, payment, unknown, "fr")).toContain("rien ne nomme la transaction");
  expect(await explainRefusedRefund(engine, payment, new CheckoutError("refund_too_large", ""), "fr")).toBeNull();
});
