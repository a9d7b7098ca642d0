import { money, type Payment, type PaymentState } from "@tillkit/core";
import type { ShopOrder } from "@tillkit/testkit/shopify";
import { expect, onTestFinished, test } from "vitest";
import { type AppWorld, GATEWAY, openAppWorld } from "./world.ts";

const xof = (minor: number) => money(minor, "XOF");

/** A payment of the order as the ledger keeps it, whose money arrived. */
async function keepPayment(
  { ledger, clock }: AppWorld,
  order: ShopOrder,
  state: PaymentState,
  owed = order.total,
): Promise<Payment> {
  const payment: Payment = {
    id: "payment-1",
    ref: { storeId: "acme.myshopify.com", orderId: order.id.replace(/.*\//, "") },
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "shopify-test-acme.myshopify.com",
    createdAt: clock.now(),
    amountDue: owed,
    wireAmount: owed.minor,
    request: "{}",
    reference: "payment-1.signed",
    session: { id: "cs_1", url: "https://pay.service.example/cs_1", expiresAt: clock.now() + 3_600_000 },
    amountReceived: owed,
    transactionId: "txn_1",
    state,
    version: 1,
    checks: 0,
    nextCheckAt: null,
    storeWriteAt: null,
    storeTries: 0,
    storeRetryAt: null,
    continueUrl: null,
    finding: null,
    waiver: null,
  };
  await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: [] });
  return payment;
}

test.each<readonly [PaymentState]>([["review"], ["duplicate"]])(
  "an owner who refunds in the shop an order whose only payment is a %s reads that nothing went back, once",
  async (state) => {
    const world = await openAppWorld({ mode: "order" });
    onTestFinished(() => world.close());
    const order = world.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
    const payment = await keepPayment(world, order, state);
    world.shop.markOrderAsPaid(order.id);
    const refund = world.shop.refundOrder(order.id, xof(2_000));
    world.shop.sendWebhook("refunds/create", { id: refund.number, order_id: Number(payment.ref.orderId) });
    await world.simulator.webhooks.settled();
    await world.app.work();
    expect(await world.ledger.refunds(payment.id)).toEqual([]);
    expect((await world.shop.install()).text.match(/waits for a decision/g)).toHaveLength(1);
  },
);

test("a refund in the shop of an order that no payment of ours ever arrived for says nothing", async () => {
  const world = await openAppWorld({ mode: "order" });
  onTestFinished(() => world.close());
  const order = world.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  world.shop.markOrderAsPaid(order.id);
  world.shop.refundOrder(order.id, xof(2_000));
  await world.simulator.webhooks.settled();
  await world.app.work();
  expect(await world.rows("shopify-line")).toBe(0);
});

test("a refund in the shop in another currency than the one that was paid gives nothing back", async () => {
  const world = await openAppWorld({ mode: "order" });
  onTestFinished(() => world.close());
  const order = world.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  const payment = await keepPayment(world, order, "recorded", money(5_000, "EUR"));
  let asked = 0;
  world.app.checkout.engine.tenants.service = async () => {
    asked += 1;
    throw new Error("This service is asked for nothing.");
  };
  world.shop.markOrderAsPaid(order.id);
  world.shop.refundOrder(order.id, xof(2_000));
  await world.simulator.webhooks.settled();
  await world.app.work();
  expect([asked, await world.ledger.refunds(payment.id)]).toEqual([0, []]);
});
