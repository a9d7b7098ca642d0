import { money, type Payment } from "@tillkit/core";
import { financialStatus, type ShopOrder } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, MINUTE, openFixture, SECOND, TOTAL } from "./fixture.ts";

const xof = (minor: number) => money(minor, "XOF");
/** The number at the end of the order's gid. */
const orderIdOf = ({ id }: ShopOrder) => id.slice(id.lastIndexOf("/") + 1);

/** The shopper opens the pay link on the order's page. Returns the open payment. */
async function visitOrder(fixture: Fixture, order: ShopOrder): Promise<Payment> {
  const { url, shop, ledger } = fixture;
  const { location } = await fixture.open(
    `${url}/shopify/order-pay?shop=${shop.domain}&checkout_token=${order.checkoutToken}`,
  );
  await fixture.open(location ?? expect.fail("The order has no page to pay on."));
  const payments = await ledger.paymentsOfOrder({ storeId: shop.domain, orderId: orderIdOf(order) });
  return payments.find(({ state }) => state === "open") ?? expect.fail("No session was opened at the service.");
}

/** The refunds of each payment and their states. */
async function refundsOf(fixture: Fixture, ...payments: readonly Payment[]) {
  const all = await Promise.all(payments.map(({ id }) => fixture.ledger.refunds(id)));
  return all.map((refunds) => refunds.map(({ amount, state }) => [amount.minor, state]));
}

/**
 * Places an order, opens its pay page, lowers the total and opens the pay page again. Then the shopper pays the younger payment, with
 * the new total, and after it the older one, which is refunded automatically.
 */
async function orderPaidTwice(fixture: Fixture) {
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.settle();
  const older = await visitOrder(fixture, order);
  fixture.shop.editOrder(order.id, xof(9_000));
  await fixture.settle();
  const younger = await visitOrder(fixture, order);
  await fixture.pay(younger);
  await fixture.until(() => financialStatus(order) === "PAID");
  await fixture.pay(older);
  await fixture.until(async () => (await fixture.ledger.find({ id: older.id }))?.state === "refunded");
  expect((await fixture.ledger.find({ id: younger.id }))?.state).toBe("recorded");
  return { order, older, younger };
}

test("a refund in the shop goes to the payment that the order shows and not to an older duplicate", async () => {
  const fixture = await openFixture({ mode: "order" });
  const { order, older, younger } = await orderPaidTwice(fixture);
  fixture.shop.refundOrder(order.id, xof(2_500));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(await refundsOf(fixture, older, younger)).toEqual([[[12_500, "completed"]], [[2_500, "completed"]]]);
});

test("a late second webhook of a full refund changes nothing and adds no notice", async () => {
  const fixture = await openFixture({ mode: "order" });
  const { order, older, younger } = await orderPaidTwice(fixture);
  const refund = fixture.shop.refundOrder(order.id, xof(9_000));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect((await fixture.ledger.find({ id: younger.id }))?.state).toBe("refunded");
  fixture.shop.sendWebhook("refunds/create", { id: refund.number, order_id: Number(orderIdOf(order)) });
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(await refundsOf(fixture, older, younger)).toEqual([[[12_500, "completed"]], [[9_000, "completed"]]]);
  expect(fixture.log.filter(({ message }) => message === "shopify.refund_not_paid")).toEqual([]);
});

test("a refund that Shopify requests goes to the payment that the shop accepted and not to an older duplicate", async () => {
  const fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  const older = await fixture.visit(session);
  // The first session expires in less than ten minutes, so the next visit opens another one.
  await fixture.advanceTime(51 * MINUTE);
  const younger = await fixture.visit(session);
  expect(younger.id).not.toBe(older.id);
  await fixture.pay(younger);
  await fixture.until(async () => (await fixture.ledger.find({ id: younger.id }))?.state === "recorded");
  await fixture.pay(older);
  await fixture.until(async () => (await fixture.ledger.find({ id: older.id }))?.state === "refunded");
  const { session: partial } = await fixture.shop.requestRefund(session, xof(2_500));
  await fixture.advanceTime(2 * MINUTE, { longestStepMs: 5 * SECOND });
  const { session: rest } = await fixture.shop.requestRefund(session, xof(10_000));
  await fixture.advanceTime(2 * MINUTE, { longestStepMs: 5 * SECOND });
  expect([partial.state, rest.state]).toEqual(["resolved", "resolved"]);
  const refunds = await refundsOf(fixture, older, younger);
  expect(refunds).toEqual([
    [[12_500, "completed"]],
    [
      [2_500, "completed"],
      [10_000, "completed"],
    ],
  ]);
});
