import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { createEngine, type Engine, receiveWebhook, refundPayment, runDue, type Service } from "../../src/index.ts";
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
