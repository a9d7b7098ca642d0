import { createServiceClient } from "@tillkit/client";
import { money, type Payment, syncRefunds } from "@tillkit/core";
import { balanceOf, financialStatus, type ShopOrder } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, HOUR, MINUTE, openFixture, SECOND, TOTAL } from "./fixture.ts";

const xof = (minor: number) => money(minor, "XOF");

/** Places an order whose shopper opens the hosted page. */
async function openPage() {
  const fixture = await openFixture({ mode: "order" });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.settle();
  const { location } = await fixture.open(
    `${fixture.url}/shopify/order-pay?shop=${fixture.shop.domain}&checkout_token=${order.checkoutToken}`,
  );
  await fixture.open(location ?? expect.fail("The order has no page to pay on."));
  const orderId = order.id.slice(order.id.lastIndexOf("/") + 1);
  const [payment] = await fixture.ledger.paymentsOfOrder({ storeId: fixture.shop.domain, orderId });
  return { fixture, order, payment: payment ?? expect.fail("No session was opened at the service.") };
}

async function stateOf({ ledger }: Fixture, { id }: Payment) {
  return (await ledger.find({ id }))?.state;
}

/** Places an order that becomes more expensive during its payment, so that the payment is held. */
async function heldOrder() {
  const opened = await openPage();
  const { fixture, order, payment } = opened;
  fixture.shop.editOrder(order.id, xof(20_000));
  await fixture.pay(payment);
  await fixture.until(async () => (await stateOf(fixture, payment)) === "review");
  return opened;
}

const refundsOf = async ({ ledger }: Fixture, { id }: Payment) =>
  (await ledger.refunds(id)).map(({ amount, state }) => [amount.minor, state]);

const timesRecorded = ({ transactions }: ShopOrder) => transactions.filter(({ status }) => status === "SUCCESS").length;

test("an owner who marks an order with a held payment as paid accepts the payment, and a later refund in the shop is paid from it", async () => {
  const { fixture, order, payment } = await heldOrder();
  fixture.shop.markOrderAsPaid(order.id);
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(await stateOf(fixture, payment)).toBe("recorded");
  expect(await refundsOf(fixture, payment)).toEqual([]);
  expect(order.metafields.get("$app:tillkit.payment")?.value).toBe(payment.id);
  expect([timesRecorded(order), balanceOf(order).received]).toEqual([1, xof(20_000)]);

  fixture.shop.refundOrder(order.id, xof(2_500));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(await refundsOf(fixture, payment)).toEqual([[2_500, "completed"]]);
});

test("a payment that arrives for an order marked as paid is held and not refunded automatically", async () => {
  const { fixture, order, payment } = await openPage();
  fixture.shop.markOrderAsPaid(order.id);
  await fixture.pay(payment);
  await fixture.advanceTime(3 * HOUR, { longestStepMs: 10 * MINUTE });
  expect(await stateOf(fixture, payment)).toBe("review");
  expect(await refundsOf(fixture, payment)).toEqual([]);
  expect(order.tags).toContain("tillkit-review");
  expect(timesRecorded(order)).toBe(1);
});

test("a payment that arrives for an order with an unclear payer is held", async () => {
  const { fixture, order, payment } = await openPage();
  fixture.shop.payOrderOutside(order.id, TOTAL, "manual");
  await fixture.pay(payment);
  await fixture.advanceTime(3 * HOUR, { longestStepMs: 10 * MINUTE });
  expect(await stateOf(fixture, payment)).toBe("review");
  expect(await refundsOf(fixture, payment)).toEqual([]);
});

test("an order that the owner cancelled stays cancelled and unpaid", async () => {
  const { fixture, order, payment } = await heldOrder();
  fixture.shop.cancelOrder(order.id);
  const before = structuredClone({ cancelledAt: order.cancelledAt, transactions: order.transactions });
  await fixture.advanceTime(3 * HOUR, { longestStepMs: 10 * MINUTE });
  expect(await stateOf(fixture, payment)).not.toBe("recorded");
  expect({ cancelledAt: order.cancelledAt, transactions: order.transactions }).toEqual(before);
  expect(financialStatus(order)).toBe("VOIDED");
  expect(fixture.shop.record.effectsOf("order-paid")).toEqual([]);
});

test("a refund in the shop of the part that was paid in cash refunds no payment", async () => {
  const { fixture, order, payment } = await openPage();
  fixture.shop.editOrder(order.id, xof(15_000));
  fixture.shop.payOrderOutside(order.id, xof(2_500));
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  // Shopify refunds the transaction that was recorded first.
  fixture.shop.refundOrder(order.id, xof(1_000));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(await refundsOf(fixture, payment)).toEqual([]);
});

test("a refund that the owner made at the service is recorded in the shop once and not paid a second time", async () => {
  const { fixture, order, payment } = await openPage();
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  const { transactionId } = (await fixture.ledger.find({ id: payment.id })) ?? payment;
  const client = createServiceClient({ apiKey: fixture.sandbox.keys.test.secret, baseUrl: fixture.sandbox.baseUrl });
  const body = { transaction_id: transactionId ?? "", amount: 2_500, reason: "requested_by_customer" } as const;
  await client.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: "by-hand" });
  await syncRefunds(fixture.app.checkout.engine, payment.id);
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(await refundsOf(fixture, payment)).toEqual([[2_500, "completed"]]);
  expect(order.refunds.map(({ amount }) => amount)).toEqual([xof(2_500)]);
});
