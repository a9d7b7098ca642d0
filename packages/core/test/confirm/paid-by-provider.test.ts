import { describe, expect, it } from "vitest";
import { confirmPayment, limits, readProvider, StoreError } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay, startPayment } from "../fixture/steps.ts";

describe("naming how the shopper paid", () => {
  it("the store learns with the payment by which provider the shopper paid", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    expect(fixture.store.paid).toMatchObject([{ paymentId, provider: "WAVE" }]);
  });

  it("the event names the transaction where the session names none, and the store still learns the provider", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { transactionId: undefined };
    const transactionId = "transaction-of-session-1";
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook", transactionId });
    expect(fixture.store.paid).toMatchObject([{ paymentId, provider: "WAVE" }]);
  });

  it("a transaction that cannot be read delays no payment: the order is marked paid without a provider", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.service.failTransactions = true;
    const { status } = await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    expect(status).toBe("paid");
    expect(fixture.store.paid).toHaveLength(1);
    expect(fixture.store.paid[0]).not.toHaveProperty("provider");
  });

  it("a store that is tried again costs one read of the transaction for each try, which looks for refunds too", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    for (let time = 0; time < 3; time += 1) {
      fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unavailable", "503")));
    }
    await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    for (let time = 0; time < 20; time += 1) {
      await fixture.clock.advance(limits.reconfirmAfterMs);
      await fixture.work();
    }
    expect(fixture.store.paid).toMatchObject([{ paymentId, provider: "WAVE" }]);
    const tries = (await fixture.expectPaymentIn("recorded")).storeTries;
    expect(tries).toBe(4);
    expect(fixture.service.transactionReads).toBe(tries);
  });

  it("a session that is still open costs no read of a transaction", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    expect(fixture.service.transactionReads).toBe(0);
  });

  it("a platform that asks for the provider of a paid payment costs no second read of the transaction", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const { payment } = await confirmPayment(fixture.engine, paymentId, { actor: "shopper" });
    expect(await readProvider(fixture.engine, payment)).toBe("WAVE");
    expect(fixture.service.transactionReads).toBe(1);
  });
});
