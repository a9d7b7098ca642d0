import { expect, it } from "vitest";
import { type BackOffice, findPaymentOf, viewPayment } from "../../src/back-office/back-office.ts";
import { decide } from "../../src/back-office/decide.ts";
import type { Choice, Decided, Host, Person, View } from "../../src/back-office/decision.ts";
import { explainNotDone } from "../../src/back-office/explain-decided.ts";
import { isOffered, offerOf, refundOffered, viewOf } from "../../src/back-office/offers.ts";
import { paymentsToDecide } from "../../src/back-office/payments-to-decide.ts";
import type { Dispute } from "../../src/domain/dispute.ts";
import type { Payment } from "../../src/domain/payment.ts";
import type { Refund } from "../../src/domain/refund.ts";
import type { EntryFacts, TimelineEntry } from "../../src/domain/timeline.ts";
import { createEngine } from "../../src/engine.ts";
import { createMemoryLedger, type MemoryLedger } from "../../src/memory-ledger/memory-ledger.ts";
import { silentLog, systemClock, systemRandom } from "../../src/system.ts";
import { explainEquation } from "../../src/texts/money-texts.ts";
import { explainRefusal } from "../../src/texts/refusal-texts.ts";
import { dispute, HOUR, NO_HOST, NOW, payment, refund, viewWith, xof } from "./samples.ts";

const operator: Person = { by: "shop_manager #7", right: "operator", storeId: null };

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

function officeOn(ledger: MemoryLedger, host?: Host): BackOffice {
  return { engine: engineOn(ledger), acts: ledger, ...(host ? { host } : {}) };
}

async function shown(office: BackOffice): Promise<View> {
  const found = await findPaymentOf(office, payment.id, operator);
  if (!found) throw new Error("The payment is missing.");
  return await viewPayment(office, found);
}

/** Decides what the view shows. */
async function decideOn(office: BackOffice, { seen }: View, choice: Choice): Promise<Decided> {
  return await decide(office, { ...choice, paymentId: payment.id, person: operator, seen });
}

it("a refund and a lost dispute leave what neither of them took, in both languages", () => {
  const view = viewWith([refund], [dispute]);
  expect(view.sum.available).toEqual(xof(1_500));
  expect(offerOf(view, "refund")).toMatchObject({
    max: xof(1_500),
    overDispute: { disputed: xof(26_000), atMost: xof(27_500) },
  });
  expect(explainEquation(view.sum, "en")).toMatch(/26.000.* disputed: 1.500.* can be refunded\.$/);
  expect(explainEquation(view.sum, "fr")).toMatch(/26.000.* contestés : 1.500.* peuvent être remboursés\.$/);
});

it("a dispute after a full refund is a shortfall, and a payment that lost nothing needs no sentence", () => {
  const view = viewWith([{ ...refund, amount: xof(32_500) }], [dispute]);
  expect(view.sum.available.minor).toBe(-26_000);
  expect(offerOf(view, "refund")).toMatchObject({ max: xof(0), overDispute: null, why: { kind: "nothing_left" } });
  expect(explainEquation(view.sum, "en")).toMatch(/: 26.000.* more left than arrived\.$/);
  expect(explainEquation(viewWith([]).sum, "en")).toBeNull();
});

it("a person is asked about a refund only after the engine had the time to settle it", () => {
  const sentAgo = (ms: number) => viewWith([{ ...refund, state: "unknown", requestedAt: NOW - ms }]);
  expect(offerOf(sentAgo(60_000), "looked", refund.key)?.why).toMatchObject({ kind: "too_early" });
  expect(isOffered(sentAgo(HOUR), "looked")).toBe(true);
});

it("what a person saw changes with each movement, and not with a repeat, a poll or a first reading", () => {
  const seen = (...facts: Parameters<typeof viewWith>) => viewWith(...facts).seen;
  expect(seen([{ ...refund, state: "requested" }])).toBe(seen([{ ...refund, state: "unknown", readOnlySince: NOW }]));
  expect(seen([], [dispute])).toBe(seen([], [{ ...dispute, updatedAt: NOW }]));
  const transaction = { id: "tx-1", code: null, paymentId: payment.id, amount: xof(32_500), at: NOW };
  const read = { ...transaction, isRead: true, evidence: "identity" } as const;
  const polled = { ...payment, version: 9, checks: 4 };
  expect(viewOf(polled, { transactions: [read], refunds: [], disputes: [] }, NO_HOST, NOW).seen).toBe(seen([]));
  const views = [seen([]), seen([refund]), seen([{ ...refund, state: "failed" }]), seen([refund], [dispute])];
  const won = seen([refund], [{ ...dispute, outcome: "won" }]);
  const inShop = seen([refund], [], {}, { ...NO_HOST, seen: [10_000, "XOF"] });
  expect(new Set([...views, won, inShop, seen([], [], { state: "review" })]).size).toBe(7);
});

it("a payment that pays its order is refunded in the shop, and a held one here", () => {
  const shop = { ...NO_HOST, refundsPaid: false };
  expect(offerOf(viewWith([], [], {}, shop), "refund")?.why).toEqual({ kind: "refund_in_shop" });
  expect(offerOf(viewWith([], [], { state: "duplicate" }, shop), "refund")?.why).toBeNull();
});

it("a person who has looked ends a refund in doubt once, and their name stays in the timeline", async () => {
  const ledger = await ledgerWith({}, [{ ...refund, state: "unknown", refundId: null }]);
  const office = officeOn(ledger);
  const view = await shown(office);
  const looked = { kind: "looked", refundKey: refund.key, wasMade: false } as const;
  const outdated = { ...looked, paymentId: payment.id, person: operator, seen: "something else" };
  expect(await decide(office, outdated)).toMatchObject({ status: "changed" });
  expect(await decideOn(office, view, { ...looked, refundKey: "other" })).toMatchObject({ status: "changed" });
  expect(await decideOn(office, view, looked)).toMatchObject({ status: "done" });
  expect((await ledger.refunds(payment.id)).map(({ state }) => state)).toEqual(["failed"]);
  expect(JSON.stringify(await ledger.timeline({ paymentId: payment.id }))).toContain(operator.by);
  expect((await ledger.listActs({ limit: 9 })).rows).toMatchObject([{ act: "refund_was_not_made", by: operator.by }]);
  // The same click again has the same answer; the opposite one meets a payment that has changed.
  expect(await decideOn(office, view, looked)).toMatchObject({ status: "done" });
  expect(await decideOn(office, view, { ...looked, wasMade: true })).toMatchObject({ status: "changed" });
  expect((await ledger.listActs({ limit: 9 })).rows).toHaveLength(1);
});

it("a dispute that ended without an outcome is won when a person says so, and the payment is not lost any more", async () => {
  const undecided = { ...dispute, outcome: null, amount: xof(32_500) };
  const ledger = await ledgerWith({ lostToDispute: true }, [], [undecided]);
  expect((await paymentsToDecide(ledger, "boutique", NOW)).map(({ id }) => id)).toEqual([payment.id]);
  expect(await paymentsToDecide(ledger, "other", NOW)).toEqual([]);
  const office = officeOn(ledger);
  const won = { kind: "disputeOutcome", disputeId: dispute.id, outcome: "won" } as const;
  expect(await decideOn(office, await shown(office), won)).toMatchObject({ status: "done" });
  expect(await ledger.find({ id: payment.id })).toMatchObject({ lostToDispute: false });
  expect(await paymentsToDecide(ledger, "boutique", NOW)).toEqual([]);
});

it("a viewer decides nothing, and the owner of one store sees no payment of another", async () => {
  const office = officeOn(await ledgerWith({}, [{ ...refund, state: "unknown" }]));
  const view = await shown(office);
  const looked = { kind: "looked", refundKey: refund.key, wasMade: true } as const;
  const { seen } = view;
  const by = (person: Partial<Person>) =>
    decide(office, { ...looked, paymentId: payment.id, seen, person: { ...operator, ...person } });
  expect(await by({ right: "viewer" })).toMatchObject({ status: "refused", why: { kind: "viewer" } });
  expect(await by({ storeId: "another shop" })).toEqual({ status: "unknown" });
  expect(explainNotDone({ status: "unknown" }, "en")).toContain("it was erased, or it belongs to another shop");
  expect(explainNotDone({ status: "changed", view }, "fr")).toContain("a changé depuis");
  expect(await by({ storeId: "boutique" })).toMatchObject({ status: "done" });
});

it("the shop is read again right before a decision: what changed there since stops it", async () => {
  const ledger = await ledgerWith({}, [{ ...refund, state: "unknown" }]);
  let total = 10_000;
  const host: Host = { facts: async () => ({ ...NO_HOST, seen: [total++] }) };
  const office = officeOn(ledger, host);
  const view = await shown(office);
  const looked = { kind: "looked", refundKey: refund.key, wasMade: true } as const;
  expect(await decideOn(office, view, looked)).toMatchObject({ status: "changed" });
  // The cart changes after the first comparison, before the commit.
  total = 10_000;
  const late = officeOn(ledger, { facts: async () => ({ ...NO_HOST, seen: [++total > 10_002 ? "changed" : "same"] }) });
  const lateView = await shown(late);
  expect(await decideOn(late, lateView, looked)).toMatchObject({ status: "changed" });
  expect((await ledger.refunds(payment.id)).map(({ state }) => state)).toEqual(["unknown"]);
});

it("a lost payment waits for a person for thirty days after its dispute", async () => {
  const ledger = await ledgerWith({ lostToDispute: true }, [], [{ ...dispute, amount: xof(32_500) }]);
  expect(await paymentsToDecide(ledger, "boutique", NOW + 29 * 24 * HOUR)).toHaveLength(1);
  expect(await paymentsToDecide(ledger, "boutique", NOW + 31 * 24 * HOUR)).toEqual([]);
});

it("a refund that a person must decide is explained in the owner's language with the link, and no other refusal has it", async () => {
  const engine = engineOn(await ledgerWith({}, [refund], [dispute]));
  const [equation] = (await viewPayment({ engine }, payment)).sums;
  const link = "https://shop.example/decide/payment-1";
  const inEnglish = explainRefusal({ kind: "over_dispute", equation }, "en", link);
  expect(inEnglish).toMatch(/disputed: 1.500.* can be refunded\. Decide there: https:/);
  expect(inEnglish.endsWith(link)).toBe(true);
  const inFrench = explainRefusal({ kind: "over_dispute", equation }, "fr", link);
  expect(inFrench).toMatch(/contestés : 1.500.* peuvent être remboursés\. Décidez ici : https:/);
  expect(explainRefusal({ kind: "transaction_unknown" }, "fr", link)).toMatch(/rien ne nomme la transaction.*https:/);
  expect(explainRefusal({ kind: "too_large", most: xof(1_500) }, "fr", link)).not.toContain(link);
});

it("a refusal names the largest amount", () => {
  expect(explainRefusal({ kind: "too_large", most: xof(1_500) }, "en")).toMatch(/at most .*1.500.* can be refunded/);
  expect(explainRefusal({ kind: "too_large", most: xof(0) }, "fr")).toBe(
    "Il ne reste rien à rembourser de ce paiement.",
  );
});

it("a failed refund that the shop shows is sent again or settled with a reason, and any other is settled alone", async () => {
  const failed = { ...refund, state: "failed" } as const;
  const done: string[] = [];
  const failedRefunds = [
    { key: "shown", isShown: true },
    { key: "own", isShown: false },
  ];
  const host: Host = {
    facts: async () => ({ ...NO_HOST, failedRefunds }),
    sendAgain: async (_payment, key) => {
      done.push(`sent ${key}`);
      return { ...failed, state: "completed" };
    },
    settledOutside: async (_payment, key, { by, reason }) => {
      done.push(`${by} settled ${key}: ${reason}`);
    },
  };
  const office = officeOn(await ledgerWith({}, [failed]), host);
  const view = await shown(office);
  const settle = (refundKey: string, reason: string) =>
    decideOn(office, view, { kind: "settledOutside", refundKey, reason });
  expect(await decideOn(office, view, { kind: "sendAgain", refundKey: "own" })).toMatchObject({ status: "changed" });
  expect(await settle("own", " ok  ")).toMatchObject({ status: "refused", why: { kind: "reason_missing" } });
  expect(done).toEqual([]);
  expect(await settle("own", "In cash")).toMatchObject({ status: "done" });
  expect(await decideOn(office, view, { kind: "sendAgain", refundKey: "shown" })).toMatchObject({ status: "done" });
  expect(done).toEqual([`${operator.by} settled own: In cash`, "sent shown"]);
});

it("a repeat of what only the shop can do is answered with the result of the first, and a decision about another refund is none", async () => {
  const failed = { ...refund, key: "one", state: "failed" } as const;
  const ledger = await ledgerWith({}, [failed, { ...failed, key: "other" }, { ...failed, key: "third" }]);
  const done: string[] = [];
  const keys = new Set(["one", "other", "third"]);
  async function commit(entry: Partial<EntryFacts>, refunds: readonly Refund[] = []): Promise<void> {
    const current = await ledger.find({ id: payment.id });
    if (!current) throw new Error("The payment is missing.");
    const next = { ...current, version: current.version + 1 };
    const context = { paymentId: payment.id, at: NOW, actor: "operator" } as const;
    const timeline = [{ ...context, ...entry } as TimelineEntry];
    await ledger.commit({ payment: { next, expect: current.version }, refunds, timeline });
  }
  const host: Host = {
    facts: async () => ({ ...NO_HOST, failedRefunds: [...keys].map((key) => ({ key, isShown: true })) }),
    async sendAgain(_payment, key, { by, id }) {
      const sent = { ...failed, key: `again ${key}`, state: "completed", requestedAt: NOW } as const;
      await commit({ kind: "refund_decided", by, decision: id, refundKey: `again ${key}` }, [sent]);
      keys.delete(key);
      done.push(`sent ${key}`);
      return sent;
    },
    async settledOutside(_payment, key, { by, id, reason }) {
      await commit({ kind: "refund_settled", by, reason, decision: id });
      keys.delete(key);
      done.push(`settled ${key}`);
    },
  };
  const office = officeOn(ledger, host);
  const view = await shown(office);
  const sendAgain = { kind: "sendAgain", refundKey: "one" } as const;
  const first = await decideOn(office, view, sendAgain);
  expect(first).toMatchObject({ status: "done", refund: { key: "again one" } });
  expect(await decideOn(office, view, sendAgain)).toMatchObject({ status: "done", refund: { key: "again one" } });
  const settled = { kind: "settledOutside", refundKey: "other", reason: "In cash" } as const;
  expect(await decideOn(office, view, settled)).toMatchObject({ status: "changed" });
  const now = await shown(office);
  expect(await decideOn(office, now, settled)).toMatchObject({ status: "done" });
  expect(await decideOn(office, now, settled)).toMatchObject({ status: "done" });
  expect(await decideOn(office, now, { ...settled, refundKey: "third" })).toMatchObject({ status: "changed" });
  expect(done).toEqual(["sent one", "settled other"]);
});

it("an order that the shop cannot show yet is placed, and the answer says why", async () => {
  const error = { code: "unavailable", message: "The shop does not answer." };
  const place = async () => ({ why: null, error });
  const host: Host = { facts: async () => ({ ...NO_HOST, place: null }), place };
  const office = officeOn(await ledgerWith({ state: "review" }), host);
  const placing = { kind: "place" } as const;
  expect(await decideOn(office, await shown(office), placing)).toMatchObject({ status: "done", error });
  host.place = async () => ({ why: { kind: "sold_out" }, error: null });
  expect(await decideOn(office, await shown(office), placing)).toMatchObject({
    status: "refused",
    why: { kind: "sold_out" },
  });
});

it("a refund of all that no dispute holds is refused with the sums when a dispute holds everything", async () => {
  const office = officeOn(await ledgerWith({}, [], [{ ...dispute, amount: xof(32_500) }]));
  const view = await shown(office);
  expect(refundOffered(view)).toBeNull();
  for (const overDispute of [{}, { overDispute: true } as const]) {
    const all = { kind: "refund", transactionId: null, amount: null, ...overDispute } as const;
    expect(await decideOn(office, view, all)).toMatchObject({ status: "refused", why: { kind: "over_dispute" } });
  }
});

it("on a copy of the shop a payment can be looked at, and nothing is decided until a person says that the shop moved", async () => {
  const ledger = await ledgerWith({}, [], [{ ...dispute, outcome: null }]);
  const engine = { ...engineOn(ledger), publicUrl: "https://staging.example" };
  await engine.installations.originalOf("", "https://shop.example");
  const office: BackOffice = { engine, acts: ledger };
  const view = await shown(office);
  const won = { kind: "disputeOutcome", disputeId: dispute.id, outcome: "won" } as const;
  const why = { kind: "installation_unknown" };
  expect(await decideOn(office, view, won)).toMatchObject({ status: "refused", why, retryable: true });
  expect((await shown(office)).seen).toBe(view.seen);
  expect((await ledger.listActs({ limit: 9 })).rows).toEqual([]);
  await engine.installations.answer("", "https://staging.example", "moved");
  expect(await decideOn(office, view, won)).toMatchObject({ status: "done" });
});
