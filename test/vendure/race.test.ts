import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { settleNaively } from "./naive-pattern.ts";
import { waitUntil } from "./probe.ts";
import type { StartedPayment } from "./shopper.ts";
import { createPaymentMethod } from "./steps.ts";

/** How often two and forty signals arrive at once. `TILLKIT_RACE_PAIRS=200 TILLKIT_RACE_CROWDS=20` is the whole proof. */
const PAIRS = Number(process.env.TILLKIT_RACE_PAIRS ?? 10);
const CROWDS = Number(process.env.TILLKIT_RACE_CROWDS ?? 2);
const CROWD = 40;
/** The naive pattern needs few rounds to fail. */
const NAIVE_PAIRS = Math.min(PAIRS, 20);
const NAIVE_CROWDS = Math.min(CROWDS, 2);
const TIMEOUT_MS = 60_000 + PAIRS * 10_000 + CROWDS * 60_000;

describe("signals that arrive at once in a real Vendure", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture("race");
  });
  afterAll(() => fixture.close());

  it.each([
    ["two", PAIRS, 2],
    ["forty", CROWDS, CROWD],
  ])(
    "%s signals at once settle each order once and leave no payment without an order",
    async (_name, rounds, size) => {
      const { probe } = fixture;
      const wrongOrders = { doubled: 0, orphaned: 0, unpaid: 0 };
      for (let round = 0; round < rounds; round += 1) {
        const started = await fixture.newShopper().startPayment();
        await fixture.pay(started, "lost");
        await sendSignals(fixture, started, size);
        await waitUntil(
          () => probe.order(started.orderCode),
          ({ state }) => state !== "ArrangingPayment",
        ).catch(() => (wrongOrders.unpaid += 1));
        const payments = await probe.payments(started.orderCode);
        const settled = await probe.timesSettled(started.orderCode);
        const allocated = await probe.allocated(started.orderCode);
        if (payments.length > 1 || settled > 1 || allocated > 1) wrongOrders.doubled += 1;
      }
      wrongOrders.orphaned = await probe.orphans("tillkit");
      console.log(`Tillkit, ${rounds} rounds of ${size} signals: ${JSON.stringify(wrongOrders)}.`);
      expect(wrongOrders).toEqual({ doubled: 0, orphaned: 0, unpaid: 0 });
    },
    TIMEOUT_MS,
  );

  it.each([
    ["two", PAIRS, 2],
    ["forty", CROWDS, CROWD],
  ])(
    "%s different payments at once, without the engine's lease, pay each order once",
    async (_name, rounds, size) => {
      const { probe } = fixture;
      const outcomes: Record<string, number> = {};
      let doubled = 0;
      for (let round = 0; round < rounds; round += 1) {
        const shopper = fixture.newShopper();
        const orderCode = await shopper.fillCart();
        await shopper.moveTo("ArrangingPayment");
        const writes = Array.from({ length: size }, (_, number) =>
          fixture.adapter().markPaid(receiptOf(orderCode, `pay_${round}_${number}`)),
        );
        for (const { outcome } of await Promise.all(writes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const payments = await probe.payments(orderCode);
        if (payments.length !== 1 || (await probe.timesSettled(orderCode)) !== 1) doubled += 1;
      }
      const orphaned = await probe.orphans("tillkit");
      console.log(
        `The lock alone, ${rounds} rounds of ${size} payments: ${JSON.stringify({ doubled, orphaned, outcomes })}.`,
      );
      expect({ doubled, orphaned }).toEqual({ doubled: 0, orphaned: 0 });
      expect(outcomes).toEqual({ recorded: rounds, "other-payment": rounds * (size - 1) });
    },
    TIMEOUT_MS,
  );

  it(
    "the pattern without a lock pays orders twice in the same run and loses payments",
    async () => {
      await fixture.stop();
      await fixture.restart({ WITHOUT_ORDER_GUARD: "true" });
      await createPaymentMethod(fixture, "naive");
      const counts = { rounds: 0, doubled: 0, orphaned: 0 };
      for (const size of [...Array(NAIVE_PAIRS).fill(2), ...Array(NAIVE_CROWDS).fill(CROWD)] as number[]) {
        counts.rounds += 1;
        if ((await settleNaively(fixture, size)) > 1) counts.doubled += 1;
      }
      counts.orphaned = await fixture.probe.orphans("naive");
      console.log(`The pattern without a lock: ${JSON.stringify(counts)}.`);
      expect(counts.doubled).toBeGreaterThan(0);
      expect(counts.orphaned).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

/** Half of the signals are webhooks, each with an id of its own; the others are pages that come back. The timer runs beside them. */
async function sendSignals(fixture: Fixture, { checkoutId, orderCode }: StartedPayment, size: number): Promise<void> {
  const body = JSON.parse(await fixture.webhookBody(checkoutId)) as { id: string };
  const webhooks = Array.from({ length: size / 2 }, (_, number) =>
    fixture.sendWebhook(JSON.stringify({ ...body, id: `${body.id}_${number}` })),
  );
  const [statuses] = await Promise.all([Promise.all(webhooks), fixture.returnToShop(orderCode, size / 2)]);
  expect(new Set(statuses)).toEqual(new Set([200]));
}

function receiptOf(orderId: string, paymentId: string) {
  const total = { minor: 5_500, currency: "XOF" };
  const ref = { storeId: "__default_channel__", orderId };
  const ids = { paymentId, attempt: "", sessionId: `cos_${paymentId}`, transactionId: `txn_${paymentId}` };
  return { ...ids, ref, paid: total, total, environment: "test", fence: 1 } as const;
}
