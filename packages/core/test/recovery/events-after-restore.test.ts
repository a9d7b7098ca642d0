import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import type { Service } from "../../src/hosts.ts";
import { createEngine, type Engine, receiveWebhook, refundPayment, runDue } from "../../src/index.ts";
import { createMemoryLedger, type MemoryLedger } from "../../src/memory.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { HOUR } from "../fixture/steps.ts";
import { fixtureWithPaidOrder, francs, withService } from "../refunds/refund-steps.ts";

type Restored = { readonly engine: Engine; readonly ledger: MemoryLedger };

/** A new process on a ledger that holds the payment as it is now, or nothing of it. */
async function restore(
  { engine, ledger: old }: EngineFixture,
  paymentId: string,
  keeps: "payment" | "nothing",
): Promise<() => Restored> {
  const ledger = createMemoryLedger();
  const payment = await old.find({ id: paymentId });
  const transactions = await old.transactions(paymentId);
  if (payment && keeps === "payment")
    await ledger.commit({ payment: { next: { ...payment, version: 1 }, expect: "new" }, transactions, timeline: [] });
  const { sessionCache, watchSchedule, circuitBreakers, ...options } = engine;
  return () => ({ ledger, engine: createEngine({ ...options, ledger }) });
}

async function receive({ clock }: EngineFixture, engine: Engine, event: string, data: object): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ id: `${event}-1`, event, data }));
  await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
  await work(clock, engine);
}

async function work(clock: EngineFixture["clock"], engine: Engine): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await runDue(engine);
    await clock.advance(60_000);
  }
}

const TRANSACTION = "transaction-of-session-1";

describe("the first event after a ledger was restored to before the payment", () => {
  it("recovers the payment although the service shows its transaction some seconds later", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { engine, ledger } = (await restore(fixture, paymentId, "nothing"))();
    const { tillkit_reference } =
      fixture.service.posts.map(
        ({ request }) => (JSON.parse(request) as { metadata: Record<string, string> }).metadata,
      )[0] ?? {};
    const shownFrom = fixture.clock.now() + 10_000;
    const slow = withService(engine, (service) => ({
      readTransaction: async (query) => (fixture.clock.now() < shownFrom ? null : await service.readTransaction(query)),
    }));
    const facts = { dispute_id: "dispute-1", transaction_id: TRANSACTION, amount: 5000, currency_code: "XOF" };
    await receive(fixture, slow, "DISPUTE_CREATED", { ...facts, status: "pending", metadata: { tillkit_reference } });
    expect(await ledger.disputes(paymentId)).toMatchObject([{ id: "dispute-1" }]);
  });
});

describe("an event that names a session and a transaction, and nothing else", () => {
  const named = { checkout_session_id: "session-1", transaction_id: TRANSACTION };
  const dispute = { dispute_id: "dispute-1", amount: 5000, currency_code: "XOF", status: "closed", outcome: "lost" };

  it.each([
    ["PAYMENT_SUCCEEDED", {}],
    ["DISPUTE_CLOSED", dispute],
    ["PAYMENT_SUCCEEDED", { metadata: {} }],
    ["DISPUTE_CLOSED", { ...dispute, metadata: { checkout_session_id: "session-1" } }],
  ])(
    "recovers the payment although the event names our session and its metadata is empty: %s %j",
    async (event, data) => {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      const { engine, ledger } = (await restore(fixture, paymentId, "nothing"))();
      await receive(fixture, engine, event, { ...named, ...data });
      expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "recorded", session: { id: "session-1" } });
      expect(await ledger.disputes(paymentId)).toHaveLength(event === "DISPUTE_CLOSED" ? 1 : 0);
    },
  );

  it("gives a payment its session, which the ledger lost, and judges it", async () => {
    for (const data of [named, { transaction_id: TRANSACTION }]) {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      const payment = await fixture.ledger.find({ id: paymentId });
      const { engine, ledger } = (await restore(fixture, paymentId, "nothing"))();
      const intent = { state: "intent", session: null, amountReceived: null, transactionId: null, version: 1 } as const;
      if (payment) await ledger.commit({ payment: { next: { ...payment, ...intent }, expect: "new" }, timeline: [] });
      await receive(fixture, engine, "PAYMENT_SUCCEEDED", data);
      expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "recorded", session: { id: "session-1" } });
    }
  });

  it("recovers the payment although its session is shown without its metadata", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { engine, ledger } = (await restore(fixture, paymentId, "nothing"))();
    const bare = withService(engine, (service) => ({
      readSession: async (...call) => {
        const { reference, signedOrder, ...reading } = await service.readSession(...call);
        return reading;
      },
    }));
    await receive(fixture, bare, "PAYMENT_SUCCEEDED", named);
    expect(await ledger.find({ id: paymentId })).not.toBeNull();
  });

  it("recovers the payment although the first answer about its session showed nothing", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { engine, ledger } = (await restore(fixture, paymentId, "nothing"))();
    let answers = 0;
    const flaky = withService(engine, (service) => ({
      readSession: async (...call) => (answers++ === 0 ? {} : await service.readSession(...call)),
      readTransaction: async () => null,
    }));
    await receive(fixture, flaky, "PAYMENT_CREATED", named);
    await receive(fixture, flaky, "PAYMENT_SUCCEEDED", named);
    expect(await ledger.find({ id: paymentId })).not.toBeNull();
  });

  it("waits while the service refuses its key, and is not given up", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { engine, ledger } = (await restore(fixture, paymentId, "nothing"))();
    let isRefused = true;
    const refused = withService(engine, (service) => ({
      readSession: async (...call) => (isRefused ? { keyRefused: "unauthorized" } : await service.readSession(...call)),
    }));
    await receive(fixture, refused, "PAYMENT_SUCCEEDED", named);
    expect(await ledger.find({ id: paymentId })).toBeNull();
    isRefused = false;
    await work(fixture.clock, refused);
    expect(await ledger.find({ id: paymentId })).toMatchObject({ state: "recorded" });
  });

  it("costs one read of the session of another integration, however many events name it", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { engine } = (await restore(fixture, paymentId, "payment"))();
    const calls: string[] = [];
    const counted = withService(engine, (service) => ({
      readSession: async (payment, deadlineMs) => {
        calls.push(`session ${payment.session?.id}`);
        return payment.id === paymentId ? await service.readSession(payment, deadlineMs) : { id: "of-the-market" };
      },
      readTransaction: async (query) => {
        calls.push(`transaction ${query.id}`);
        return { id: query.id, sessionId: "of-the-market", status: "completed" };
      },
    }));
    const market = { checkout_session_id: "of-the-market", transaction_id: "market-1" };
    for (const event of ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "REFUND_CREATED", "REFUND_COMPLETED"])
      await receive(fixture, counted, event, market);
    expect(calls).toEqual(["session of-the-market", "transaction market-1"]);
  });
});

describe("a ledger that was restored to before a refund", () => {
  it("the repeat of a refund under its key is answered with the refund that the service made under that key, although it drops our mark", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const withoutReason = (service: Service): Partial<Service> => ({
      refund: async (input) => ({ ...(await service.refund(input)), reason: undefined }),
      readRefunds: async (payment, query) => {
        const list = await service.readRefunds(payment, query);
        return { ...list, refunds: list.refunds.map((row) => ({ ...row, reason: undefined })) };
      },
    });
    const backup = await restore(fixture, paymentId, "payment");
    const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    await refundPayment(withService(fixture.engine, withoutReason), click);
    const engine = withService(backup().engine, withoutReason);
    await fixture.clock.advance(HOUR);
    await refundPayment(engine, click);
    await work(fixture.clock, engine);
    const again = await refundPayment(engine, click);
    expect.soft(again).toMatchObject({ state: "completed", refundId: "refund-1" });
    // A shop whose refund has failed asks again, under a new key.
    if (again.state === "failed") await refundPayment(engine, { ...click, key: "click-2" });
    expect(fixture.service.refunds).toHaveLength(1);
  });
});
