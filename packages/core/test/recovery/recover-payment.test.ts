import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  createEngine,
  explainPayment,
  receiveWebhook,
  recoverPayments,
  refundPayment,
  runDue,
  startCheckout,
} from "../../src/index.ts";
import { createMemoryLedger } from "../../src/memory.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { HOUR, startAndPay } from "../fixture/steps.ts";
import { withService } from "../refunds/refund-steps.ts";

/** The same store and service with a ledger that was restored from a backup older than the payment. */
function restartAfterDiskLoss(fixture: EngineFixture) {
  const ledger = createMemoryLedger();
  // The new engine shares no state in memory with the old engine.
  const { sessionCache, watchSchedule, circuitBreakers, ...options } = fixture.engine;
  return { ledger, engine: createEngine({ ...options, ledger }) };
}

async function fixtureWithLostPayment() {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  return { fixture, paymentId, ...restartAfterDiskLoss(fixture) };
}

const metadataOf = (fixture: EngineFixture, sessionId: string) =>
  fixture.service.sessions.get(sessionId)?.body.metadata as Record<string, string>;

async function deliver(engine: EngineFixture["engine"], data: object): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ id: "event-1", event: "PAYMENT_SUCCEEDED", data }));
  const signature = signWebhook(bytes, "whsec_test");
  expect(await receiveWebhook(engine, { endpointId: "main", bytes, signature })).toMatchObject({ status: 200 });
  await runDue(engine);
}

const OPTIONS = { credentialId: "key", environment: "test", from: 0 } as const;

describe("recovery of a payment that the ledger lost", () => {
  it("a lost payment is recovered by its webhook, and its order is paid once", async () => {
    const { fixture, paymentId, engine, ledger } = await fixtureWithLostPayment();
    await deliver(engine, { checkout_session_id: "session-1", metadata: metadataOf(fixture, "session-1") });
    expect(fixture.store.paid).toMatchObject([{ paymentId, paid: { minor: 5000, currency: "XOF" } }]);
    expect((await ledger.find({ id: paymentId }))?.state).toBe("recorded");
    const { entries } = await explainPayment(engine, { paymentId }, "fr");
    expect(entries[0]?.text).toMatch(
      /^Le paiement manquait dans ce registre et a été récupéré auprès du service\. Les contestations d’avant le .* UTC ne sont pas connues\.$/,
    );
  });

  it("a lost payment is recovered from the list of transactions when its webhook is lost too", async () => {
    const { fixture, paymentId, engine } = await fixtureWithLostPayment();
    expect(await recoverPayments(engine, OPTIONS)).toMatchObject({
      scanned: 1,
      recovered: [paymentId],
      refundsSynced: [],
    });
    expect(fixture.store.paid).toHaveLength(1);
    expect(await recoverPayments(engine, OPTIONS)).toMatchObject({ scanned: 1, recovered: [], refundsSynced: [] });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("an order that was paid before the loss is not paid again by the recovered payment", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const { engine, ledger } = restartAfterDiskLoss(fixture);
    await recoverPayments(engine, OPTIONS);
    expect(fixture.store.paid).toHaveLength(1);
    expect((await ledger.find({ id: paymentId }))?.state).toBe("recorded");
  });

  it.each(["its webhook, which is delivered again", "the list of transactions"])(
    "a lost payment whose money went back is recovered by %s, and its order stays unpaid",
    async (way) => {
      const { fixture, paymentId, engine, ledger } = await fixtureWithLostPayment();
      const transactionId = "transaction-of-session-1";
      fixture.service.refunds.push({ key: "k", id: "refund-9", status: "completed", wireAmount: 5_000, transactionId });
      if (way === "the list of transactions") await recoverPayments(engine, OPTIONS);
      else await deliver(engine, { checkout_session_id: "session-1", metadata: metadataOf(fixture, "session-1") });
      expect(fixture.store.paid).toEqual([]);
      expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "refunded" });
    },
  );

  it("a recovered payment that is held, because its order costs more by now, has the refund of before the loss", async () => {
    const { fixture, paymentId, engine, ledger } = await fixtureWithLostPayment();
    fixture.store.order = anOrder({ total: { minor: 6_000, currency: "XOF" } });
    const transactionId = "transaction-of-session-1";
    fixture.service.refunds.push({ key: "k", id: "refund-9", status: "completed", wireAmount: 2_000, transactionId });
    await deliver(engine, { checkout_session_id: "session-1", metadata: metadataOf(fixture, "session-1") });
    await runDue(engine);
    expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "review" });
    expect(await ledger.refunds(paymentId)).toMatchObject([{ refundId: "refund-9", state: "completed" }]);
  });

  it("a recovered payment has its refund, although a clock ahead had dated the payment 80 hours later", async () => {
    const fixture = createEngineFixture();
    const { engine: right, clock } = fixture;
    const ahead = { ...right, clock: { ...clock, now: () => clock.now() + 80 * HOUR } };
    const paymentId = await startAndPay({ ...fixture, engine: ahead });
    const wireAmount = 1_000;
    fixture.service.refunds.push({ key: "k", id: "refund-9", status: "completed", wireAmount, createdAt: clock.now() });
    const { engine, ledger } = restartAfterDiskLoss(fixture);
    await clock.advance(48 * HOUR);
    const since = withService(engine, (service) => ({
      readRefunds: async (payment, query) => {
        const list = await service.readRefunds(payment, query);
        return { ...list, refunds: list.refunds.filter(({ createdAt = 0 }) => createdAt >= query.since) };
      },
    }));
    await deliver(since, { checkout_session_id: "session-1", metadata: metadataOf(fixture, "session-1") });
    await runDue(since);
    expect(await ledger.refunds(paymentId)).toMatchObject([{ refundId: "refund-9", state: "completed" }]);
  });

  it("a refund of a recovered payment is limited to what an earlier refund left", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const request = { paymentId, amount: { minor: 4000, currency: "XOF" }, origin: "store" } as const;
    await refundPayment(fixture.engine, { ...request, key: "click" });
    const { engine } = restartAfterDiskLoss(fixture);
    expect(await recoverPayments(engine, OPTIONS)).toMatchObject({
      recovered: [paymentId],
      refundsSynced: [paymentId],
    });
    const more = { ...request, amount: { minor: 3000, currency: "XOF" }, key: "another click" };
    await expect(refundPayment(engine, more)).rejects.toMatchObject({ code: "refund_too_large" });
  });

  it("a pending refund that a restored backup lacks is found, and its money cannot be refunded again", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const pending = { key: "k", id: "refund-9", status: "pending", wireAmount: 4_000 } as const;
    fixture.service.refunds.push({ ...pending, createdAt: fixture.clock.now() });
    expect(await recoverPayments(fixture.engine, OPTIONS)).toMatchObject({ recovered: [], refundsSynced: [paymentId] });
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ refundId: "refund-9", state: "pending" }]);
    expect(await recoverPayments(fixture.engine, OPTIONS)).toMatchObject({ refundsSynced: [] });
  });

  it("a copied reference does not recover a payment for another order", async () => {
    const { fixture, engine, ledger } = await fixtureWithLostPayment();
    fixture.store.order = anOrder({ ref: { storeId: "shop", orderId: "expensive" } });
    await startCheckout(fixture.engine, fixture.store.order);
    const mixedMetadata = {
      ...metadataOf(fixture, "session-1"),
      tillkit_order: metadataOf(fixture, "session-2").tillkit_order,
    };
    await deliver(engine, { checkout_session_id: "session-1", metadata: mixedMetadata });
    expect(fixture.store.paid).toEqual([]);
    expect(await ledger.paymentsOfOrder({ storeId: "shop", orderId: "expensive" })).toEqual([]);
  });

  it("an event without the facts of its order stays a visible orphan", async () => {
    const { fixture, engine, paymentId } = await fixtureWithLostPayment();
    const { tillkit_reference } = metadataOf(fixture, "session-1");
    await deliver(engine, { checkout_session_id: "session-1", metadata: { tillkit_reference } });
    expect(fixture.store.paid).toEqual([]);
    expect(await engine.ledger.timeline({ paymentId })).toMatchObject([{ kind: "orphan", event: "PAYMENT_SUCCEEDED" }]);
  });
});
