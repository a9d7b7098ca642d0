import { type Payment, runDue, startCheckout, watchPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { MINUTE, openFixture, type ScenarioFixture, SECOND } from "./fixture.ts";
import { CALLS_A_MINUTE, connectWithLiveKey, maxCallsInAMinute } from "./live-key.ts";

const SHOPPERS = 200;

describe("200 shoppers on the waiting page", () => {
  it("16 · 200 shoppers on the waiting page cost under 60 calls a minute without webhooks, are all served within ten minutes, and other shoppers can still start to pay", async () => {
    const fixture = await openFixture("read-then-write", { connectService: connectWithLiveKey });
    const payments = await startAllCheckouts(fixture);
    const startedAt = fixture.clock.now();
    for (const payment of payments) fixture.service.pay(payment);

    const otherCheckouts: Promise<unknown>[] = [];
    while (fixture.clock.now() < startedAt + 10 * MINUTE) {
      for (const { id } of payments) await watchPayment(fixture.engine(), id);
      if ((fixture.clock.now() - startedAt) % (20 * SECOND) === 0) otherCheckouts.push(startAnotherCheckout(fixture));
      void runDue(fixture.engine());
      await fixture.clock.advance(2 * SECOND);
    }

    expect(maxCallsInAMinute(fixture.service)).toBeLessThanOrEqual(CALLS_A_MINUTE);
    const paid = new Set(fixture.store.probe.effects().map(({ paymentId }) => paymentId));
    expect(payments.filter(({ id }) => !paid.has(id))).toEqual([]);
    expect(fixture.store.probe.effects()).toHaveLength(SHOPPERS);
    const opened = await Promise.allSettled(otherCheckouts);
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(opened).toHaveLength(30);
  });
});

async function startAllCheckouts(fixture: ScenarioFixture): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (let shopper = 0; shopper < SHOPPERS; shopper += 1) {
    const starting = fixture.placeOrder().then(fixture.startCheckout);
    await fixture.clock.advance(1.5 * SECOND);
    payments.push(await starting);
  }
  return payments;
}

async function startAnotherCheckout(fixture: ScenarioFixture): Promise<void> {
  const { ref, attempt } = await fixture.placeOrder();
  const order = await fixture.store.adapter.findOrder(ref, attempt);
  if (!order) throw new Error("The order must exist.");
  await startCheckout(fixture.engine(), order);
}
