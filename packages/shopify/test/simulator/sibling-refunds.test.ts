import { money, type Payment } from "@tillkit/core";
import { financialStatus, type ShopOrder } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { MINUTE, openWorld, SECOND, TOTAL, type World } from "./world.ts";

const xof = (minor: number) => money(minor, "XOF");

/** The shopper follows the pay link of the order's page; answers the payment that is open then. */
async function visitOrder(world: World, { id, checkoutToken }: ShopOrder): Promise<Payment> {
  const { url, shop, ledger } = world;
  const { location } = await world.open(`${url}/shopify/order-pay?shop=${shop.domain}&checkout_token=${checkoutToken}`);
  await world.open(location ?? expect.fail("The order has no page to pay on."));
  const payments = await ledger.siblings({ storeId: shop.domain, orderId: id.slice(id.lastIndexOf("/") + 1) });
  return payments.find(({ state }) => state === "open") ?? expect.fail("Nothing was opened at the service.");
}

/** What went back of each payment, and how that stands. */
async function back(world: World, ...payments: readonly Payment[]) {
  const all = await Promise.all(payments.map(({ id }) => world.ledger.refunds(id)));
  return all.map((refunds) => refunds.map(({ amount, state }) => [amount.minor, state]));
}

/** The order became cheaper while its page was open; both pages were paid, the one for today's total first. */
async function orderPaidTwice(world: World) {
  const order = world.shop.placeOrder({ total: TOTAL, test: true });
  await world.settle();
  const older = await visitOrder(world, order);
  world.shop.editOrder(order.id, xof(9_000));
  await world.settle();
  const younger = await visitOrder(world, order);
  await world.pay(younger);
  await world.until(() => financialStatus(order) === "PAID");
  await world.pay(older);
  await world.until(async () => (await world.ledger.find({ id: older.id }))?.state === "refunded");
  expect((await world.ledger.find({ id: younger.id }))?.state).toBe("recorded");
  return { order, older, younger };
}

test("a refund in the shop is of the payment that the order shows, not of an older duplicate that went back already", async () => {
  const world = await openWorld({ mode: "order" });
  const { order, older, younger } = await orderPaidTwice(world);
  world.shop.refundOrder(order.id, xof(2_500));
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect(await back(world, older, younger)).toEqual([[[12_500, "completed"]], [[2_500, "completed"]]]);
}, 60_000);

test("the webhook of a full refund that comes again late changes nothing and tells the owner nothing wrong", async () => {
  const world = await openWorld({ mode: "order" });
  const { order, older, younger } = await orderPaidTwice(world);
  const refund = world.shop.refundOrder(order.id, xof(9_000));
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect((await world.ledger.find({ id: younger.id }))?.state).toBe("refunded");
  world.shop.sendWebhook("refunds/create", { id: refund.number, order_id: 1, created_at: "2026-11-22T10:00:00Z" });
  await world.pass(10 * MINUTE, 30 * SECOND);
  expect(await back(world, older, younger)).toEqual([[[12_500, "completed"]], [[9_000, "completed"]]]);
  expect(world.log.filter(({ message }) => message === "shopify.refund_not_paid")).toEqual([]);
}, 60_000);

test("a refund of Shopify's is of the payment that its session shows, not of an older duplicate that went back already", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const older = await world.visit(session);
  // Less than ten minutes of the first page are left: the next visit opens another one.
  await world.pass(51 * MINUTE);
  const younger = await world.visit(session);
  expect(younger.id).not.toBe(older.id);
  await world.pay(younger);
  await world.until(async () => (await world.ledger.find({ id: younger.id }))?.state === "recorded");
  await world.pay(older);
  await world.until(async () => (await world.ledger.find({ id: older.id }))?.state === "refunded");
  const { session: partial } = await world.shop.requestRefund(session, xof(2_500));
  await world.pass(2 * MINUTE, 5 * SECOND);
  const { session: rest } = await world.shop.requestRefund(session, xof(10_000));
  await world.pass(2 * MINUTE, 5 * SECOND);
  expect([partial.state, rest.state]).toEqual(["resolved", "resolved"]);
  const refunds = await back(world, older, younger);
  expect(refunds).toEqual([
    [[12_500, "completed"]],
    [
      [2_500, "completed"],
      [10_000, "completed"],
    ],
  ]);
}, 120_000);
