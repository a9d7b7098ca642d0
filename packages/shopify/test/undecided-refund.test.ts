import { money, type Payment, type PaymentState } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import type { ShopOrder } from "@tillkit/shopify-simulator";
import { expect, onTestFinished, test } from "vitest";
import { type AppFixture, GATEWAY, openAppFixture } from "./app-fixture.ts";

const xof = (minor: number) => money(minor, "XOF");

/** Writes a received payment of the order into the ledger. */
async function storePayment(
  { ledger, clock }: AppFixture,
  order: ShopOrder,
  state: PaymentState,
  amountDue = order.total,
): Promise<Payment> {
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    id: "payment-1",
    ref: { storeId: "acme.myshopify.com", orderId: order.id.replace(/.*\//, "") },
    orderNumber: "1001",
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "shopify-test-acme.myshopify.com",
    createdAt: clock.now(),
    amountDue,
    wireAmount: amountDue.minor,
    request: "{}",
    reference: "payment-1.signed",
    session: { id: "cs_1", url: "https://pay.service.example/cs_1", expiresAt: clock.now() + 3_600_000 },
    amountReceived: amountDue,
    transactionId: "txn_1",
    state,
  };
  await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: [] });
  return payment;
}

test.each<PaymentState>(["review", "duplicate"])(
  "the owner is notified once that a refund in the shop is not paid when the only payment of the order is in state %s",
  async (state) => {
    const fixture = await openAppFixture({ mode: "order" });
    onTestFinished(() => fixture.close());
    const order = fixture.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
    const payment = await storePayment(fixture, order, state);
    fixture.shop.markOrderAsPaid(order.id);
    const refund = fixture.shop.refundOrder(order.id, xof(2_000));
    fixture.shop.sendWebhook("refunds/create", { id: refund.number, order_id: Number(payment.ref.orderId) });
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    expect(await fixture.ledger.refunds(payment.id)).toEqual([]);
    expect((await fixture.shop.install()).text.match(/waits for a decision/g)).toHaveLength(1);
  },
);

test("a refund in the shop of an order that has no payment of ours adds no notice for the owner", async () => {
  const fixture = await openAppFixture({ mode: "order" });
  onTestFinished(() => fixture.close());
  const order = fixture.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  fixture.shop.markOrderAsPaid(order.id);
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.simulator.webhooks.settled();
  await fixture.app.runDue();
  expect(await fixture.rows("shopify-notice")).toBe(0);
});

test("a refund in the shop in another currency than the payment's sends no request to the service", async () => {
  const fixture = await openAppFixture({ mode: "order" });
  onTestFinished(() => fixture.close());
  const order = fixture.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  const payment = await storePayment(fixture, order, "recorded", money(5_000, "EUR"));
  let requests = 0;
  fixture.app.checkout.engine.tenants.service = async () => {
    requests += 1;
    throw new Error("The service must not be called.");
  };
  fixture.shop.markOrderAsPaid(order.id);
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.simulator.webhooks.settled();
  await fixture.app.runDue();
  expect([requests, await fixture.ledger.refunds(payment.id)]).toEqual([0, []]);
});
