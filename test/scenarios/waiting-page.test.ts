import { type Payment, runDue, startCheckout, watchPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { MINUTE, openFixture, type ScenarioFixture, SECOND } from "./fixture.ts";
import { CALLS_A_MINUTE, mostInAMinute, overLiveKey } from "./live-key.ts";

const SHOPPERS = 200;

describe("200 shoppers on the waiting page", () => {
  it("16 · 200 shoppers on the waiting page cost under 60 calls a minute without webhooks, are all served within ten minutes, and other shoppers can still start to pay", {
    timeout: 60_000,
  }, async () => {
    const fixture = await openFixture("read-then-write", { connectService: overLiveKey });
    const payments = await everybodyOpens(fixture);
    const begin = fixture.clock.now();
    for (const payment of payments) fixture.service.pay(payment);

    const newcomers: Promise<unknown>[] = [];
    while (fixture.clock.now() < begin + 10 * MINUTE) {
      for (const { id } of payments) await watchPayment(fixture.engine(), id);
      if ((fixture.clock.now() - begin) % (20 * SECOND) === 0) newcomers.push(openAnother(fixture));
      void runDue(fixture.engine());
      await fixture.clock.advance(2 * SECOND);
    }

    expect(mostInAMinute(fixture.service)).toBeLessThanOrEqual(CALLS_A_MINUTE);
    const paid = new Set(fixture.store.probe.effects().map(({ paymentId }) => paymentId));
    expect(payments.filter(({ id }) => !paid.has(id))).toEqual([]);
    expect(fixture.store.probe.effects()).toHaveLength(SHOPPERS);
    const opened = await Promise.allSettled(newcomers);
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(opened).toHaveLength(30);
  });
});

async function everybodyOpens(fixture: ScenarioFixture): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (let shopper = 0; shopper < SHOPPERS; shopper += 1) {
    const pressing = fixture.placeOrder().then(fixture.startCheckout);
    await fixture.clock.advance(1.5 * SECOND);
    payments.push(await pressing);
  }
  return payments;
}

async function openAnother(fixture: ScenarioFixture): Promise<void> {
  const { ref, attempt } = await fixture.placeOrder();
  const order = await fixture.store.adapter.findOrder(ref, attempt);
  if (!order) throw new Error("The order was placed a moment ago.");
  await startCheckout(fixture.engine(), order);
}
