import type { Payment, Refund } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { openVirtualTimeFixture, type VirtualTimeFixture } from "./virtual-time-fixture.ts";

const LATE_MS = 25_000;
/** Longer than a REST write whose response was lost is waited for, with the retry after it. */
const SETTLED_SECONDS = 300;

describe.each(["plugin", "rest", "auto"] as const)("writeOrdersBy %s", (writeOrdersBy) => {
  it("a refund from the dashboard is recorded once by a shop that takes 25 seconds for the first request", async () => {
    const { fixture, orderId, payment } = await openPaidOrder(writeOrdersBy);
    fixture.fake.faults.failNextWrite({ lateMs: LATE_MS });
    await refundInDashboard(fixture, payment, 1_500);
    await fixture.runForSeconds(SETTLED_SECONDS);
    expect(fixture.fake.shop.refunds(orderId)).toMatchObject([{ amount: "1500.00" }]);
    expect(await fixture.payment(payment)).toMatchObject({ storeWriteAt: null });
  });

  it("a refund of a payment that the order does not show is noted once by a shop that takes 25 seconds", async () => {
    const { fixture, orderId, payment } = await openPaidOrder(writeOrdersBy);
    fixture.fake.shop.edit(orderId, { paymentMethod: "cod" });
    const notesBefore = fixture.fake.shop.notes(orderId).length;
    fixture.fake.faults.failNextWrite({ lateMs: LATE_MS });
    await refundInDashboard(fixture, payment, 1_500);
    await fixture.runForSeconds(SETTLED_SECONDS);
    expect(fixture.fake.shop.notes(orderId)).toHaveLength(notesBefore + 1);
  });
});

async function openPaidOrder(writeOrdersBy: "plugin" | "rest" | "auto") {
  const fixture = await openVirtualTimeFixture(writeOrdersBy);
  const { order, payment } = await fixture.openOrder();
  fixture.pay(payment);
  const now = fixture.clock.now();
  const job = { kind: "confirm", storeId: "boutique", paymentId: payment.id, payload: "", dueAt: now } as const;
  await fixture.ledger.commit({ jobs: [job], timeline: [] });
  await fixture.runForSeconds(5);
  expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
  return { fixture, orderId: order.id, payment };
}

/** The ledger as it is when an event or a list of the service has shown a refund of its dashboard. */
async function refundInDashboard({ clock, ledger }: VirtualTimeFixture, payment: Payment, minor: number) {
  const key = "service:rf_01";
  const refund: Refund = {
    key,
    paymentId: payment.id,
    origin: "service",
    amount: { minor, currency: "XOF" },
    request: "",
    transactionId: `tx_${payment.session?.id}`,
    state: "completed",
    refundId: "rf_01",
    requestedAt: clock.now(),
    readOnlySince: null,
    otherKeys: [],
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
  };
  const { id: paymentId, ref } = payment;
  const job = { kind: "refund", storeId: ref.storeId, paymentId, payload: key, dueAt: clock.now() } as const;
  await ledger.commit({ refunds: [refund], jobs: [job], timeline: [] });
}
