import { describe, expect, it } from "vitest";
import type { Service } from "../../src/hosts.ts";
import { createEngine, gatherMovements, recoverPayments, refundPayment, runDue, syncRefunds } from "../../src/index.ts";
import { equationOf, equationsOf } from "../../src/ledger.ts";
import { createMemoryLedger } from "../../src/memory-ledger/memory-ledger.ts";
import { HOUR } from "../fixture/steps.ts";
import { deliver, fixtureWithPaidOrder, francs, withService } from "../refunds/refund-steps.ts";

/** A list of refunds whose rows name no transaction. */
const namesNoTransaction = (service: Service): Partial<Service> => ({
  readRefunds: async (payment, query) => {
    const lists = await Promise.all(
      ["transaction-of-session-1", "second"].map((transactionId) =>
        service.readRefunds(payment, { ...query, transactionId }),
      ),
    );
    const rows = lists.flatMap(({ refunds }) => refunds).map((row) => ({ ...row, transactionId: undefined }));
    return { refunds: [], unassigned: rows, elsewhere: [], isComplete: true };
  },
});

/**
 * The session was paid twice, 5,000 F CFA each time, and these sums went back from the second transaction. Then the ledger is restored to
 * before the payment, or to before the second transaction.
 */
async function restoredFixture(surplusRefunds: readonly number[], keeps: "nothing" | "the payment") {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  const backup = await fixture.ledger.find({ id: paymentId });
  const transactions = await fixture.ledger.transactions(paymentId);
  const second = { id: "second", sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
  fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
  const named = { checkout_session_id: "session-1", transaction_id: "second" };
  await deliver(fixture, "second", "PAYMENT_SUCCEEDED", named);
  for (const [index, minor] of surplusRefunds.entries()) {
    const decision = { paymentId, key: `surplus-${index}`, amount: francs(minor), origin: "tillkit" } as const;
    await refundPayment(fixture.engine, { ...decision, transactionId: "second" });
  }
  const ledger = createMemoryLedger();
  if (backup && keeps === "the payment")
    await ledger.commit({ payment: { next: { ...backup, version: 1 }, expect: "new" }, transactions, timeline: [] });
  const { sessionCache, watchSchedule, circuitBreakers, ...options } = fixture.engine;
  const engine = withService(createEngine({ ...options, ledger }), namesNoTransaction);
  const recover = async () => {
    await recoverPayments(engine, { credentialId: "key", environment: "test", from: 0 });
    for (let round = 0; round < 10; round += 1) await runDue(engine);
  };
  const state = async () => (await ledger.find({ id: paymentId }))?.state;
  const equations = async () => {
    const payment = await ledger.find({ id: paymentId });
    if (!payment) throw new Error("There is no payment.");
    const movements = await gatherMovements(ledger, paymentId);
    return { each: equationsOf(payment, movements), whole: equationOf(payment, movements) };
  };
  const click = { paymentId, key: "click", amount: francs(5000), origin: "store", recordedRefunds: [] } as const;
  return { fixture, paymentId, engine, ledger, recover, state, equations, click };
}

describe("a refund of the surplus that the service lists without a transaction", () => {
  it.each(["nothing", "the payment"] as const)(
    "never makes the payment refunded, in a ledger that kept %s",
    async (keeps) => {
      const { engine, recover, state, equations, click } = await restoredFixture([5000], keeps);
      await recover();
      expect.soft(await state()).toBe("recorded");
      const { each, whole } = await equations();
      expect.soft(whole).toMatchObject({ received: francs(10_000), returned: francs(5000), available: francs(5000) });
      expect.soft(each.map(({ available }) => available)).toEqual([francs(5000), francs(5000)]);
      const refund = await refundPayment(engine, { ...click, recordedRefunds: ["surplus-0", "refund-1"] });
      expect.soft(refund).toMatchObject({ state: "completed", transactionId: "transaction-of-session-1" });
      expect(await state()).toBe("refunded");
    },
  );

  it("never makes it refunded before the surplus is known: the event of the refund comes first", async () => {
    const { paymentId, engine, state } = await restoredFixture([5000], "the payment");
    await syncRefunds(engine, paymentId);
    expect(await state()).toBe("recorded");
  });

  it("leaves no more than what is left of the whole payment", async () => {
    const { fixture, recover, engine, click, equations, ledger, paymentId } = await restoredFixture([5000], "nothing");
    await recover();
    const recordedRefunds = ["refund-1"];
    await refundPayment(engine, { ...click, amount: francs(2000), recordedRefunds });
    const { each } = await equations();
    expect.soft(each.map(({ available }) => available)).toEqual([francs(3000), francs(3000)]);
    const rest = { ...click, key: "rest", amount: francs(3001), transactionId: "second", recordedRefunds };
    await expect(refundPayment(engine, rest)).rejects.toMatchObject({ code: "refund_too_large" });
    await fixture.clock.advance(HOUR);
    expect((await ledger.find({ id: paymentId }))?.state).toBe("recorded");
  });

  it("makes it refunded once nothing of the whole payment is left", async () => {
    const { fixture, paymentId, recover, state, equations } = await restoredFixture([2000, 3000], "nothing");
    await refundPayment(fixture.engine, { paymentId, key: "order", amount: francs(5000), origin: "store" });
    await recover();
    expect.soft((await equations()).whole.available).toEqual(francs(0));
    expect(await state()).toBe("refunded");
  });

  it("belongs to its transaction once a list names it", async () => {
    const { engine, recover, state, equations, ledger, paymentId, fixture } = await restoredFixture([5000], "nothing");
    await recover();
    const naming = createEngine({ ...engine, tenants: fixture.engine.tenants, ledger });
    await syncRefunds(naming, paymentId);
    expect.soft((await equations()).each.map(({ available }) => available)).toEqual([francs(5000), francs(0)]);
    expect(await state()).toBe("recorded");
  });
});
