import { expect, it } from "vitest";
import { confirmPayment, createEngine, recoverPayments, runDue } from "../../src/index.ts";
import { createMemoryLedger } from "../../src/memory-ledger/memory-ledger.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { HOUR, startPayment } from "../fixture/steps.ts";
import { addDashboardRefund, deliver } from "../refunds/refund-steps.ts";

const TRANSACTION = "transaction-of-session-1";

/** A payment whose session was paid. Then its ledger is restored to before the commit of the session. */
async function fixtureWithLostSession(): Promise<{ fixture: EngineFixture; paymentId: string }> {
  const fixture = createEngineFixture();
  const paymentId = await startPayment(fixture, anOrder({ customer: { email: "awa@shop.example" } }));
  fixture.service.pay("session-1");
  const [post] = fixture.service.posts;
  const payment = await fixture.ledger.find({ id: paymentId });
  if (!payment || !post) throw new Error("There is no payment.");
  const ledger = createMemoryLedger();
  const intent = { ...payment, state: "intent", session: null, request: post.request, version: 1 } as const;
  await ledger.commit({ payment: { next: intent, expect: "new" }, timeline: [] });
  const { sessionCache, watchSchedule, circuitBreakers, ...options } = fixture.engine;
  const engine = createEngine({ ...options, ledger });
  const work = async () => {
    for (let round = 0; round < 10; round += 1) await runDue(engine);
  };
  return { fixture: { ...fixture, ledger, engine, work }, paymentId };
}

const WAYS: Record<string, (fixture: EngineFixture, paymentId: string) => Promise<unknown>> = {
  "an event": (fixture) => {
    const metadata = fixture.service.sessions.get("session-1")?.body.metadata;
    const data = { checkout_session_id: "session-1", transaction_id: TRANSACTION, metadata };
    return deliver(fixture, "success", "PAYMENT_SUCCEEDED", data);
  },
  "a recovery": ({ engine }) => recoverPayments(engine, { credentialId: "key", environment: "test", from: 0 }),
  "the last read, when the request may not be repeated": async ({ clock, engine }, paymentId) => {
    await clock.advance(24 * HOUR);
    return await confirmPayment(engine, paymentId, { actor: "timer" });
  },
};

it.each(Object.keys(WAYS))(
  "a session that a restored ledger lost is found by %s, and its order is paid",
  async (way) => {
    const { fixture, paymentId } = await fixtureWithLostSession();
    await WAYS[way]?.(fixture, paymentId);
    const payment = await fixture.ledger.find({ id: paymentId });
    expect(payment).toMatchObject({ state: "recorded", session: { id: "session-1" } });
    expect(payment?.request).not.toContain("awa@shop.example");
    expect((await fixture.ledger.timeline({ paymentId })).map(({ kind }) => kind)).toContain("opened");
  },
);

it.each(Object.keys(WAYS))(
  "a session that a restored ledger lost is found by %s, and its order is not paid by money that went back before",
  async (way) => {
    const { fixture, paymentId } = await fixtureWithLostSession();
    addDashboardRefund(fixture, 5000);
    await WAYS[way]?.(fixture, paymentId);
    expect(await fixture.ledger.find({ id: paymentId })).toMatchObject({ state: "refunded" });
    expect(fixture.store.paid).toEqual([]);
  },
);
