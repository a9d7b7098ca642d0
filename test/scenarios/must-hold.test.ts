import { confirmForShopper, limits, type Payment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { CALLS_A_MINUTE, mostInAMinute, overLiveKey } from "./live-key.ts";
import { HOUR, LEDGERS, MINUTE, openScene, type Scene, SECOND } from "./scene.ts";

describe.each(LEDGERS)("what must hold on a bad day, with the ledger in %s", (ledger) => {
  it.each(["read-then-write", "callback", "write-only"] as const)(
    "all webhooks and returns are dropped: every paid order is marked within ten minutes, whenever it is paid (%s)",
    async (kind) => {
      const scene = await openScene(kind, { ledger });
      const waits: number[] = [];
      for (let minute = 1; minute < 60; minute += 3) waits.push(await waitOfOnePaidAfter(scene, minute * MINUTE));
      expect(Math.max(...waits)).toBeLessThanOrEqual(10 * MINUTE);
    },
  );
});

describe("a service that is down", { timeout: 120_000 }, () => {
  it("for 24 hours: every paid order is marked within five minutes after it is back, and meanwhile it is asked about once a minute", async () => {
    const scene = await openScene("read-then-write");
    const { service, store } = scene;
    const paid = await payAsItGoesDown(scene, 12);
    const downAt = scene.clock.now();
    await scene.pass(24 * HOUR);
    const backAt = scene.clock.now();
    service.down = false;
    await scene.pass(5 * MINUTE);
    expect(paidIn(store)).toEqual(idsOf(paid));
    expect(mostInAMinute(service, downAt, downAt + 10 * MINUTE)).toBeLessThanOrEqual(20);
    expect(mostInAMinute(service, downAt + 10 * MINUTE, backAt)).toBeLessThanOrEqual(2);
  });

  it("for an hour with 120 payments open, behind a live key: all are marked within five minutes, never over 60 calls a minute", async () => {
    const scene = await openScene("read-then-write", { reach: overLiveKey });
    const { service, store } = scene;
    const paid = await payAsItGoesDown(scene, 120);
    await scene.run(HOUR);
    service.down = false;
    await scene.run(5 * MINUTE);
    expect(paidIn(store)).toEqual(idsOf(paid));
    expect(store.probe.effects()).toHaveLength(paid.length);
    expect(mostInAMinute(service)).toBeLessThanOrEqual(CALLS_A_MINUTE);
  });
});

describe("a day of 1,000 checkouts", () => {
  it("of which 700 are abandoned costs under 10,000 calls, their last reads three days later included", {
    timeout: 120_000,
  }, async () => {
    const scene = await openScene("read-then-write");
    const { service } = scene;
    for (let checkout = 0; checkout < 1_000; checkout += 1) {
      const payment = await scene.pressPay(await scene.placeOrder());
      const isPaid = checkout % 10 < 3;
      await scene.pass(70 * SECOND);
      if (isPaid) await payAndComeBack(scene, payment);
      await scene.pass(16.4 * SECOND);
    }
    await scene.pass(limits.graceMs + 2 * HOUR);
    expect(scene.store.probe.effects()).toHaveLength(300);
    expect(service.calls.filter(({ what }) => what === "open")).toHaveLength(1_000);
    expect(service.calls.length).toBeLessThan(10_000);
  });
});

async function waitOfOnePaidAfter(scene: Scene, ms: number): Promise<number> {
  const placed = await scene.placeOrder();
  const payment = await scene.pressPay(placed);
  await scene.pass(ms);
  scene.service.pay(payment);
  const paidAt = scene.clock.now();
  await scene.pass(11 * MINUTE);
  const [effect] = scene.store.probe.effects(placed.ref.orderId);
  return (effect?.at ?? Number.POSITIVE_INFINITY) - paidAt;
}

/** Two thirds are paid in the last moment before it goes down; of half of those the webhook still comes. */
async function payAsItGoesDown(scene: Scene, count: number): Promise<readonly Payment[]> {
  const { service } = scene;
  const payments: Payment[] = [];
  for (let order = 0; order < count; order += 1) {
    const pressing = scene.placeOrder().then(scene.pressPay);
    await scene.run(3 * SECOND);
    payments.push(await pressing);
  }
  const paid = payments.filter((_, index) => index % 3 !== 0);
  const events = paid.map((payment) => service.pay(payment));
  service.down = true;
  for (const event of events.filter((_, index) => index % 2 === 0)) await scene.deliver(event);
  return paid;
}

function paidIn({ probe }: Scene["store"]): ReadonlySet<string> {
  return new Set(probe.effects().map(({ paymentId }) => paymentId));
}

function idsOf(payments: readonly Payment[]): ReadonlySet<string> {
  return new Set(payments.map(({ id }) => id));
}

async function payAndComeBack(scene: Scene, payment: Payment): Promise<void> {
  const { service } = scene;
  const about = { checkout_session_id: service.sessionOf(payment).id, transaction_id: "the try" };
  await scene.deliver(service.event("PAYMENT_CREATED", about));
  await scene.pass(SECOND);
  await scene.deliver(service.pay(payment));
  await scene.pass(SECOND);
  await confirmForShopper(scene.engine(), payment.id);
}
