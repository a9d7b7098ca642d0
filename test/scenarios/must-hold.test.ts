import { confirmForShopper, limits, type Payment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { HOUR, LEDGERS, MINUTE, openFixture, type ScenarioFixture, SECOND } from "./fixture.ts";
import { CALLS_A_MINUTE, connectWithLiveKey, maxCallsInAMinute } from "./live-key.ts";

describe.each(LEDGERS)("when all webhooks and returns are lost, with the ledger in %s", (ledger) => {
  it.each(["read-then-write", "callback", "write-only"] as const)(
    "every paid order is marked within ten minutes when all webhooks and returns are lost, whenever it is paid (%s)",
    async (kind) => {
      const fixture = await openFixture(kind, { ledger });
      const waits: number[] = [];
      for (let minute = 1; minute < 60; minute += 3) waits.push(await measureWaitOfPayment(fixture, minute * MINUTE));
      expect(Math.max(...waits)).toBeLessThanOrEqual(10 * MINUTE);
    },
  );
});

describe("a service that is down", () => {
  it("every paid order is marked within five minutes after a service outage of 24 hours, and the outage costs about one call a minute", async () => {
    const fixture = await openFixture("read-then-write");
    const { service, store } = fixture;
    const paid = await payBeforeOutage(fixture, 12);
    const downAt = fixture.clock.now();
    await fixture.advanceTime(24 * HOUR);
    const backAt = fixture.clock.now();
    service.down = false;
    await fixture.advanceTime(5 * MINUTE);
    expect(paidIn(store)).toEqual(idsOf(paid));
    expect(maxCallsInAMinute(service, downAt, downAt + 10 * MINUTE)).toBeLessThanOrEqual(20);
    expect(maxCallsInAMinute(service, downAt + 10 * MINUTE, backAt)).toBeLessThanOrEqual(2);
  });

  it("120 open payments under a live key are marked within five minutes after an outage of an hour, with at most 60 calls a minute", async () => {
    const fixture = await openFixture("read-then-write", { connectService: connectWithLiveKey });
    const { service, store } = fixture;
    const paid = await payBeforeOutage(fixture, 120);
    await fixture.run(HOUR);
    service.down = false;
    await fixture.run(5 * MINUTE);
    expect(paidIn(store)).toEqual(idsOf(paid));
    expect(store.probe.effects()).toHaveLength(paid.length);
    expect(maxCallsInAMinute(service)).toBeLessThanOrEqual(CALLS_A_MINUTE);
  });
});

describe("a day of 1,000 checkouts", () => {
  it("a day of 1,000 checkouts of which 700 are abandoned costs under 10,000 calls, including the last reads three days later", async () => {
    const fixture = await openFixture("read-then-write");
    const { service } = fixture;
    for (let checkout = 0; checkout < 1_000; checkout += 1) {
      const payment = await fixture.startCheckout(await fixture.placeOrder());
      const isPaid = checkout % 10 < 3;
      // A day has 1,000 times 70 and 16.4 seconds.
      await fixture.advanceTime(70 * SECOND);
      if (isPaid) await payAndComeBack(fixture, payment);
      await fixture.advanceTime(16.4 * SECOND);
    }
    await fixture.advanceTime(limits.graceMs + 2 * HOUR);
    expect(fixture.store.probe.effects()).toHaveLength(300);
    expect(service.calls.filter(({ operation }) => operation === "open")).toHaveLength(1_000);
    expect(service.calls.length).toBeLessThan(10_000);
  });
});

async function measureWaitOfPayment(fixture: ScenarioFixture, ms: number): Promise<number> {
  const placed = await fixture.placeOrder();
  const payment = await fixture.startCheckout(placed);
  await fixture.advanceTime(ms);
  fixture.service.pay(payment);
  const paidAt = fixture.clock.now();
  await fixture.advanceTime(11 * MINUTE);
  const [effect] = fixture.store.probe.effects(placed.ref.orderId);
  return (effect?.at ?? Number.POSITIVE_INFINITY) - paidAt;
}

/**
 * Starts payments, pays two thirds of them and starts an outage. Half of the webhooks still arrive.
 * @returns the paid payments
 */
async function payBeforeOutage(fixture: ScenarioFixture, count: number): Promise<readonly Payment[]> {
  const { service } = fixture;
  const payments: Payment[] = [];
  for (let order = 0; order < count; order += 1) {
    const starting = fixture.placeOrder().then(fixture.startCheckout);
    await fixture.run(3 * SECOND);
    payments.push(await starting);
  }
  const paid = payments.filter((_, index) => index % 3 !== 0);
  const events = paid.map((payment) => service.pay(payment));
  service.down = true;
  for (const event of events.filter((_, index) => index % 2 === 0)) await fixture.deliver(event);
  return paid;
}

function paidIn({ probe }: ScenarioFixture["store"]): ReadonlySet<string> {
  return new Set(probe.effects().map(({ paymentId }) => paymentId));
}

function idsOf(payments: readonly Payment[]): ReadonlySet<string> {
  return new Set(payments.map(({ id }) => id));
}

async function payAndComeBack(fixture: ScenarioFixture, payment: Payment): Promise<void> {
  const { service } = fixture;
  const data = { checkout_session_id: service.sessionOf(payment).id, transaction_id: "the try" };
  await fixture.deliver(service.event("PAYMENT_CREATED", data));
  await fixture.advanceTime(SECOND);
  await fixture.deliver(service.pay(payment));
  await fixture.advanceTime(SECOND);
  await confirmForShopper(fixture.engine(), payment.id);
}
