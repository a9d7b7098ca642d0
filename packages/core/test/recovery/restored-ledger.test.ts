import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  createEngine,
  type Engine,
  nameTransaction,
  receiveWebhook,
  recoverPayments,
  refundPayment,
  runDue,
} from "../../src/index.ts";
import { createMemoryLedger } from "../../src/memory.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { HOUR, startAndPay } from "../fixture/steps.ts";
import { francs, withService } from "../refunds/refund-steps.ts";

const OPTIONS = { credentialId: "key", environment: "test", from: 0 } as const;

/** An order of 5,000 F CFA of which the shop refunded 2,000. Then its ledger is restored to before the payment or before the refund. */
async function fixtureWithRestoredLedger(restoredTo: "before the payment" | "before the refund") {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  const backup = await fixture.ledger.find({ id: paymentId });
  const transactions = await fixture.ledger.transactions(paymentId);
  const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
  await refundPayment(fixture.engine, click);
  const ledger = createMemoryLedger();
  if (backup && restoredTo === "before the refund") {
    await ledger.commit({ payment: { next: { ...backup, version: 1 }, expect: "new" }, transactions, timeline: [] });
  }
  // The new process shares no state in memory with the old one.
  const { sessionCache, watchSchedule, circuitBreakers, ...options } = fixture.engine;
  return { fixture, paymentId, click, ledger, engine: createEngine({ ...options, ledger }) };
}

async function deliver(fixture: EngineFixture, engine: Engine, event: string, data: object): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ id: `${event}-1`, event, data }));
  await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
  await workFor(fixture, engine);
}

async function workFor(fixture: EngineFixture, engine: Engine): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await runDue(engine);
    await fixture.clock.advance(5_000);
  }
}

describe("a ledger that was restored to before a refund", () => {
  it.each([1, 30])(
    "a shop that repeats its refund %s hours later gets the refund that was made, found by its mark",
    async (hours) => {
      const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
      await fixture.clock.advance(hours * HOUR);
      expect(await refundPayment(engine, click)).toMatchObject({ refundId: "refund-1", origin: "store" });
      expect(await refundPayment(engine, click)).toMatchObject({ refundId: "refund-1" });
      expect(fixture.service.refunds).toHaveLength(1);
    },
  );

  it("a shop that lists no refund and asks under a new key gets the refund that was made", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    await fixture.clock.advance(30 * HOUR);
    const again = { ...click, key: "click-2", recordedRefunds: [] };
    expect(await refundPayment(engine, again)).toMatchObject({ refundId: "refund-1" });
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("a shop that lists nothing and asks under a key that was forgotten gets the refund that was made, and a later decision is made", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    expect(await refundPayment(engine, { ...click, key: "click-2" })).toMatchObject({ refundId: "refund-1" });
    expect(await refundPayment(engine, { ...click, key: "click-3" })).toMatchObject({ refundId: "refund-2" });
    expect(fixture.service.refunds).toHaveLength(2);
  });

  it.each([
    ["with a space before it", (reason: string) => ` ${reason}`],
    ["cut in its second half", (reason: string) => reason.slice(0, 10)],
    ["cut after its first half", (reason: string) => reason.slice(0, 8)],
  ])("a repeated refund is found where the service shows its mark %s", async (_how, shown) => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    const [made] = fixture.service.refunds;
    if (made) Object.assign(made, { reason: shown(made.reason ?? "") });
    await fixture.clock.advance(30 * HOUR);
    expect(await refundPayment(engine, click)).toMatchObject({ refundId: "refund-1", origin: "store" });
    expect(await refundPayment(engine, click)).toMatchObject({ refundId: "refund-1" });
    expect(fixture.service.refunds).toHaveLength(1);
    const another = await refundPayment(engine, { ...click, key: "click-2" });
    expect(another).toMatchObject({ refundId: "refund-2" });
  });

  it("two refunds of one payment whose marks are cut stay two refunds", async () => {
    const { fixture, click, engine, ledger, paymentId } = await fixtureWithRestoredLedger("before the refund");
    await refundPayment(fixture.engine, { ...click, key: "click-2", amount: francs(1000), recordedRefunds: [] });
    for (const made of fixture.service.refunds) made.reason = made.reason?.slice(0, 8);
    await fixture.clock.advance(30 * HOUR);
    const listed = async () => (await ledger.refunds(paymentId)).map(({ refundId, origin }) => [refundId, origin]);
    await refundPayment(engine, { ...click, key: "click-2", amount: francs(1000) });
    expect.soft(await listed()).toEqual(
      expect.arrayContaining([
        ["refund-1", "store"],
        ["refund-2", "store"],
      ]),
    );
    expect(await refundPayment(engine, click)).toMatchObject({ refundId: "refund-1" });
    expect(fixture.service.refunds).toHaveLength(2);
  });

  it("nothing more is refunded while the service counts a refund that it does not list, because it may be the forgotten one", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    fixture.service.unlisted.add("refund-1");
    const again = refundPayment(engine, { ...click, key: "click-2" });
    await expect(again).rejects.toMatchObject({ code: "refund_in_doubt", retryable: true });
    fixture.service.unlisted.clear();
    expect(await refundPayment(engine, { ...click, key: "click-2" })).toMatchObject({ refundId: "refund-1" });
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("nothing more is refunded while the service lists a refund with our mark and no amount, because it may be the forgotten one", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    Object.assign(fixture.service.refunds[0] ?? {}, { status: "pending", wireAmount: undefined });
    const again = refundPayment(engine, { ...click, key: "click-2" });
    await expect(again).rejects.toMatchObject({ code: "refund_in_doubt", retryable: true });
    Object.assign(fixture.service.refunds[0] ?? {}, { wireAmount: 2000 });
    expect(await refundPayment(engine, { ...click, key: "click-2" })).toMatchObject({ refundId: "refund-1" });
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it.each<[string, object, "refunds" | "unassigned"]>([
    ["its mark and its amount and without its id", { id: "" }, "refunds"],
    ["its mark alone", { id: "", wireAmount: undefined }, "refunds"],
    ["its mark and without its transaction and amount", { wireAmount: undefined }, "unassigned"],
    ["its amount alone", { id: "", reason: "" }, "refunds"],
    ["its id alone", { wireAmount: undefined, reason: "" }, "refunds"],
  ])(
    "nothing more is refunded while the service lists the refund with %s, because it may be the forgotten one",
    async (_what, shown, part) => {
      const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
      const listing = withService(engine, (usual) => ({
        readRefunds: async (...call) => {
          const list = await usual.readRefunds(...call);
          return { ...list, refunds: [], [part]: list.refunds.map((row) => ({ ...row, ...shown })) };
        },
      }));
      const again = refundPayment(listing, { ...click, key: "click-2" });
      await expect(again).rejects.toMatchObject({ code: "refund_in_doubt", retryable: true });
      expect(fixture.service.refunds).toHaveLength(1);
    },
  );

  it("more than a refund whose amount cannot be read can be refunded, because that is another one", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    const listing = withService(engine, (usual) => ({
      readRefunds: async (...call) => {
        const list = await usual.readRefunds(...call);
        return { ...list, refunds: list.refunds.map((row) => ({ ...row, wireAmount: undefined, reason: "" })) };
      },
    }));
    const more = await refundPayment(listing, { ...click, key: "click-2", amount: francs(2001) });
    expect(more).toMatchObject({ state: "completed" });
    expect(fixture.service.refunds).toHaveLength(2);
  });

  it("a refund of a session that was paid twice is not made again from its other transaction where the service drops marks", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    const second = { id: "second", sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    Object.assign(fixture.service.refunds[0] ?? {}, { reason: "", transactionId: "second" });
    await fixture.clock.advance(30 * HOUR);
    const again = refundPayment(engine, { ...click, key: "click-2" });
    await expect(again).rejects.toMatchObject({ code: "refund_not_possible" });
    expect(fixture.service.refunds).toHaveLength(1);
    await refundPayment(engine, { ...click, key: "click-3", transactionId: "transaction-of-session-1" });
    expect(fixture.service.refunds).toHaveLength(2);
  });

  it("nothing is refunded while the refunds of the payment cannot be read", async () => {
    const { fixture, click, engine } = await fixtureWithRestoredLedger("before the refund");
    fixture.service.fail = "down";
    await expect(refundPayment(engine, click)).rejects.toMatchObject({ code: "service_unavailable", retryable: true });
  });

  it("recovery keeps the origin of a refund that the shop asked for, so it is not written into the order again", async () => {
    const { fixture, paymentId, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
    await recoverPayments(engine, OPTIONS);
    await runDue(engine);
    expect(await ledger.refunds(paymentId)).toMatchObject([{ origin: "store", refundId: "refund-1" }]);
    expect(fixture.store.refunds).toEqual([]);
  });
});

it("recovery finds the disputes in the delivery logs, and the payment says since when disputes are known", async () => {
  const { fixture, paymentId, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
  const at = fixture.clock.now();
  const facts = { dispute_id: "dispute-1", transaction_id: "transaction-of-session-1", amount: 5000 };
  const data = { ...facts, currency_code: "XOF", status: "closed", outcome: "lost" };
  const payload = { id: "logged", event: "DISPUTE_CLOSED", data };
  const reading = withService(engine, () => ({
    async *listDeliveredEvents({ url }) {
      if (url === "https://shop.example/hooks/service/main") yield { payload, at };
    },
  }));
  const endpoint = { id: "main", url: "https://shop.example/hooks/service/main" };
  expect(await recoverPayments(reading, { ...OPTIONS, endpoint })).toMatchObject({
    recovered: [paymentId],
    disputeEvents: 1,
    disputesKnownSince: at,
  });
  expect(await ledger.disputes(paymentId)).toMatchObject([{ outcome: "lost" }]);
  expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "recorded" });
  const [recovered] = await ledger.timeline({ paymentId });
  expect(recovered).toMatchObject({ kind: "recovered", disputesKnownSince: at });
});

describe("recovery of a session that was paid twice", () => {
  const second = { id: "second", sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
  const endpoint = { id: "main", url: "https://shop.example/hooks/service/main" };

  it("finds the second transaction although the service shows its session and no reference", async () => {
    const { fixture, paymentId, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    await recoverPayments(engine, OPTIONS);
    const ids = (await ledger.transactions(paymentId)).map(({ id }) => id);
    expect(ids).toEqual(["transaction-of-session-1", "second"]);
  });

  it("does not refund again under a new key when the second transaction became known first", async () => {
    const { fixture, paymentId, click, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    const named = withService(engine, (usual) => ({
      readSession: async (...call) => ({ ...(await usual.readSession(...call)), transactionId: "second" }),
    }));
    await deliver(fixture, named, "PAYMENT_SUCCEEDED", {
      checkout_session_id: "session-1",
      transaction_id: "second",
    });
    expect(await ledger.find({ id: paymentId })).toMatchObject({ transactionId: "second" });
    expect(await refundPayment(named, { ...click, key: "click-2" })).toMatchObject({ refundId: "refund-1" });
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("does not let a dispute of the second transaction, which is older than the scan, count against the first", async () => {
    const { fixture, paymentId, engine, ledger } = await fixtureWithRestoredLedger("before the refund");
    const at = fixture.clock.now();
    const facts = { checkout_session_id: "session-1", dispute_id: "dispute-1", transaction_id: "second", amount: 5000 };
    const data = { ...facts, currency_code: "XOF", status: "closed", outcome: "lost" };
    const reading = withService(engine, (usual) => ({
      async *listTransactions() {},
      readTransaction: async (query) => (query.id === "second" ? second : await usual.readTransaction(query)),
      async *listDeliveredEvents() {
        yield { payload: { id: "logged", event: "DISPUTE_CLOSED", data }, at };
      },
    }));
    await recoverPayments(reading, { ...OPTIONS, endpoint });
    expect(await ledger.disputes(paymentId)).toMatchObject([{ transactionId: "second" }]);
    expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "recorded", lostToDispute: false });
  });
});

describe("the first event after a ledger was restored", () => {
  it("the completed refund of a payment of five days ago recovers the payment whole, and it can be refunded further", async () => {
    const { fixture, paymentId, click, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
    await fixture.clock.advance(5 * 24 * HOUR);
    const data = { refund_id: "refund-1", transaction_id: "transaction-of-session-1", amount: 2000 };
    await deliver(fixture, engine, "REFUND_COMPLETED", data);
    expect((await ledger.find({ id: paymentId }))?.state).toBe("recorded");
    expect(await ledger.refunds(paymentId)).toMatchObject([{ origin: "store", state: "completed" }]);
    expect(await refundPayment(engine, { ...click, key: "click-2", amount: francs(3000) })).toMatchObject({
      state: "completed",
    });
  });

  it("a dispute that names only its transaction, or that and our reference, is recorded with its payment", async () => {
    for (const withReference of [false, true]) {
      const { fixture, paymentId, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
      const metadata = fixture.service.sessions.get("session-1")?.body.metadata as Record<string, string>;
      const { tillkit_reference } = metadata;
      await deliver(fixture, engine, "DISPUTE_CREATED", {
        dispute_id: "dispute-1",
        transaction_id: "transaction-of-session-1",
        amount: 5000,
        currency_code: "XOF",
        status: "pending",
        ...(withReference ? { metadata: { tillkit_reference } } : {}),
      });
      expect(await ledger.disputes(paymentId)).toMatchObject([{ id: "dispute-1", amount: francs(5000) }]);
      expect((await ledger.find({ id: paymentId }))?.state).toBe("recorded");
    }
  });
});

it("a dispute in the delivery logs whose transaction a person names only later is recorded then", async () => {
  const { fixture, paymentId, engine, ledger } = await fixtureWithRestoredLedger("before the payment");
  const at = fixture.clock.now();
  const facts = { dispute_id: "dispute-1", transaction_id: "nameless", amount: 5000, currency_code: "XOF" };
  const payload = { id: "logged", event: "DISPUTE_CREATED", data: { ...facts, status: "pending" } };
  const nameless = { id: "nameless", wireAmount: 5000, currency: "XOF", status: "completed", createdAt: at };
  const reading = withService(engine, () => ({
    readSession: async () => ({ status: "completed", wireAmount: 5000, currency: "XOF", environment: "test" }),
    readTransaction: async ({ id }) => (id === "nameless" ? nameless : null),
    async *listTransactions() {
      yield nameless;
    },
    async *listDeliveredEvents() {
      yield { payload, at };
    },
  }));
  const lost = await fixture.ledger.find({ id: paymentId });
  if (lost === null) throw new Error("The payment was never stored.");
  const withoutName = { ...lost, transactionId: null, state: "review", version: 1 } as const;
  await ledger.commit({ payment: { next: withoutName, expect: "new" }, timeline: [] });
  const endpoint = { id: "main", url: "https://shop.example/hooks/service/main" };
  for (const _time of ["first", "repeated"]) await recoverPayments(reading, { ...OPTIONS, endpoint });
  await workFor(fixture, reading);
  expect(await ledger.disputes(paymentId)).toEqual([]);
  await nameTransaction(reading, { paymentId, transactionId: "nameless", by: "owner" });
  await workFor(fixture, reading);
  expect(await ledger.disputes(paymentId)).toMatchObject([{ id: "dispute-1", transactionId: "nameless" }]);
});
