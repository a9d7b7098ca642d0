import { createServiceClient } from "@tillkit/client";
import { money, type Payment, syncRefunds } from "@tillkit/core";
import { balanceOf, financialStatus, type ShopOrder } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, SECOND, TOTAL, type World } from "./world.ts";

const xof = (minor: number) => money(minor, "XOF");

/** An order whose shopper stands on the hosted page. */
async function openPage() {
  const world = await openWorld({ mode: "order" });
  const order = world.shop.placeOrder({ total: TOTAL, test: true });
  await world.settle();
  const { location } = await world.open(
    `${world.url}/shopify/order-pay?shop=${world.shop.domain}&checkout_token=${order.checkoutToken}`,
  );
  await world.open(location ?? expect.fail("The order has no page to pay on."));
  const orderId = order.id.slice(order.id.lastIndexOf("/") + 1);
  const [payment] = await world.ledger.siblings({ storeId: world.shop.domain, orderId });
  return { world, order, payment: payment ?? expect.fail("Nothing was opened at the service.") };
}

async function stateOf({ ledger }: World, { id }: Payment) {
  return (await ledger.find({ id }))?.state;
}

/** The order was made dearer while it was being paid: its money is held. */
async function heldOrder() {
  const opened = await openPage();
  const { world, order, payment } = opened;
  world.shop.editOrder(order.id, xof(20_000));
  await world.pay(payment);
  await world.until(async () => (await stateOf(world, payment)) === "review");
  return opened;
}

const refundsOf = async ({ ledger }: World, { id }: Payment) =>
  (await ledger.refunds(id)).map(({ amount, state }) => [amount.minor, state]);

const timesBooked = ({ transactions }: ShopOrder) => transactions.filter(({ status }) => status === "SUCCESS").length;

test("an owner who marks a held order as paid keeps its money, and their refund in the shop later pays it back", async () => {
  const { world, order, payment } = await heldOrder();
  world.shop.markOrderAsPaid(order.id);
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect(await stateOf(world, payment)).toBe("recorded");
  expect(await refundsOf(world, payment)).toEqual([]);
  expect(order.metafields.get("$app:tillkit.payment")?.value).toBe(payment.id);
  expect([timesBooked(order), balanceOf(order).received]).toEqual([1, xof(20_000)]);

  world.shop.refundOrder(order.id, xof(2_500));
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect(await refundsOf(world, payment)).toEqual([[2_500, "completed"]]);
}, 60_000);

test("money that arrives for an order that was marked as paid before is held, and nothing goes back by rule", async () => {
  const { world, order, payment } = await openPage();
  world.shop.markOrderAsPaid(order.id);
  await world.pay(payment);
  await world.pass(3 * HOUR, 10 * MINUTE);
  expect(await stateOf(world, payment)).toBe("review");
  expect(await refundsOf(world, payment)).toEqual([]);
  expect(order.tags).toContain("tillkit-review");
  expect(timesBooked(order)).toBe(1);
}, 60_000);

test("money that arrives for an order of which Shopify cannot tell by what it is paid is held", async () => {
  const { world, order, payment } = await openPage();
  world.shop.payOrderOutside(order.id, TOTAL, "manual");
  await world.pay(payment);
  await world.pass(3 * HOUR, 10 * MINUTE);
  expect(await stateOf(world, payment)).toBe("review");
  expect(await refundsOf(world, payment)).toEqual([]);
}, 60_000);

test("an order that its owner cancelled stays cancelled and unpaid, whatever is written of its payment", async () => {
  const { world, order, payment } = await heldOrder();
  world.shop.cancelOrder(order.id);
  const before = structuredClone({ cancelledAt: order.cancelledAt, transactions: order.transactions });
  await world.pass(3 * HOUR, 10 * MINUTE);
  expect(await stateOf(world, payment)).not.toBe("recorded");
  expect({ cancelledAt: order.cancelledAt, transactions: order.transactions }).toEqual(before);
  expect(financialStatus(order)).toBe("VOIDED");
  expect(world.shop.record.of("order-paid")).toEqual([]);
}, 60_000);

test("a refund in the shop of the part that was paid in cash moves no money of ours", async () => {
  const { world, order, payment } = await openPage();
  world.shop.editOrder(order.id, xof(15_000));
  world.shop.payOrderOutside(order.id, xof(2_500));
  await world.pay(payment);
  await world.until(() => financialStatus(order) === "PAID");
  // Shopify gives back the money that was booked first.
  world.shop.refundOrder(order.id, xof(1_000));
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect(await refundsOf(world, payment)).toEqual([]);
}, 60_000);

test("a refund that the owner made at the service is noted in the shop once, and not paid a second time", async () => {
  const { world, order, payment } = await openPage();
  await world.pay(payment);
  await world.until(() => financialStatus(order) === "PAID");
  const { transactionId } = (await world.ledger.find({ id: payment.id })) ?? payment;
  const client = createServiceClient({ apiKey: world.sandbox.keys.test.secret, baseUrl: world.sandbox.baseUrl });
  const body = { transaction_id: transactionId ?? "", amount: 2_500, reason: "requested_by_customer" } as const;
  await client.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: "by-hand" });
  await syncRefunds(world.app.checkout.engine, payment.id);
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect(await refundsOf(world, payment)).toEqual([[2_500, "completed"]]);
  expect(order.refunds.map(({ amount }) => amount)).toEqual([xof(2_500)]);
}, 60_000);
