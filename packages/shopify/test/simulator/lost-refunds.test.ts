import { createServiceClient } from "@tillkit/client";
import { money, type Payment } from "@tillkit/core";
import { financialStatus, type ShopOrder } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, HOUR, MINUTE, openFixture, TOTAL } from "./fixture.ts";

const xof = (minor: number) => money(minor, "XOF");
const orderIdOf = ({ id }: ShopOrder) => id.slice(id.lastIndexOf("/") + 1);

/** An order of a shop in order mode that its shopper has paid. */
async function openPaidOrder() {
  const fixture = await openFixture({ mode: "order" });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.settle();
  const { url, shop, ledger } = fixture;
  const { location } = await fixture.open(
    `${url}/shopify/order-pay?shop=${shop.domain}&checkout_token=${order.checkoutToken}`,
  );
  await fixture.open(location ?? expect.fail("The order has no page to pay on."));
  const [payment] = await ledger.paymentsOfOrder({ storeId: shop.domain, orderId: orderIdOf(order) });
  if (!payment) return expect.fail("No session was opened at the service.");
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  await fixture.settle();
  return { fixture, order, payment };
}

function serviceClient({ sandbox }: Fixture) {
  return createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
}

/** The amounts that went back to shoppers, as the service shows them. */
async function amountsPaidBack(fixture: Fixture): Promise<readonly unknown[]> {
  const response = await fetch(`${fixture.sandbox.baseUrl}/v1/refunds`, {
    headers: { Authorization: `Bearer ${fixture.sandbox.keys.test.secret}` },
  });
  const { data } = (await response.json()) as { readonly data: readonly { readonly amount: number }[] };
  return data.map(({ amount }) => amount).sort();
}

/** The owner refunds a payment in the dashboard of the service. */
async function refundAtService(fixture: Fixture, { id }: Payment, amount: number): Promise<string> {
  const { transactionId } = (await fixture.ledger.find({ id })) ?? {};
  const body = { transaction_id: transactionId ?? "", amount, reason: "requested_by_customer", refund_type: "partial" };
  const { data } = await serviceClient(fixture).refunds.create(body as never, { idempotencyKey: "by hand" });
  return data.id;
}

/** The scheduled tasks of the app run during this time. */
async function runScheduled(fixture: Fixture, ms: number): Promise<void> {
  fixture.app.start();
  await fixture.advanceTime(ms, { shortestStepMs: MINUTE, longestStepMs: 5 * MINUTE });
}

const unpaidLines = ({ log }: Fixture) => log.filter(({ message }) => message === "shopify.refund_not_paid");

test("a refund in the shop whose webhook was lost is paid once within half an hour", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  fixture.simulator.webhooks.lose("refunds/create", "orders/updated");
  fixture.shop.refundOrder(order.id, xof(2_000));
  fixture.shop.refundOrder(order.id, xof(500));
  await runScheduled(fixture, 30 * MINUTE);
  expect(await amountsPaidBack(fixture)).toEqual([2_000, 500]);
  await fixture.advanceTime(2 * HOUR, { shortestStepMs: MINUTE, longestStepMs: 5 * MINUTE });
  expect(await amountsPaidBack(fixture)).toEqual([2_000, 500]);
  const refunds = await fixture.ledger.refunds(payment.id);
  expect(refunds.map(({ origin, state }) => `${origin} ${state}`)).toEqual(["store completed", "store completed"]);
  expect(unpaidLines(fixture)).toEqual([]);
});

test("a full refund in the shop whose webhook was lost is paid once", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  fixture.simulator.webhooks.lose("refunds/create");
  fixture.shop.refundOrder(order.id, TOTAL);
  await runScheduled(fixture, 30 * MINUTE);
  expect(await amountsPaidBack(fixture)).toEqual([12_500]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("refunded");
});

test("a refund in the shop is paid once when two processes pay it from its late webhooks and from the search at once", async () => {
  const { fixture, order } = await openPaidOrder();
  const second = await fixture.openSecondApp();
  fixture.simulator.webhooks.lose("refunds/create");
  // While Shopify shows no refund, the tasks of the search and of both webhooks wait. Then all of them are due.
  fixture.simulator.faults.add({ on: "refund", status: 503, times: 100 });
  const { number } = fixture.shop.refundOrder(order.id, xof(2_000));
  fixture.app.start();
  second.start();
  await fixture.advanceTime(2 * MINUTE, { shortestStepMs: MINUTE });
  fixture.simulator.webhooks.lose();
  for (let webhook = 0; webhook < 2; webhook += 1)
    fixture.shop.sendWebhook("refunds/create", { id: number, order_id: Number(orderIdOf(order)) });
  await fixture.advanceTime(MINUTE, { shortestStepMs: MINUTE });
  fixture.simulator.faults.clear();
  await fixture.advanceTime(HOUR, { shortestStepMs: 15 * MINUTE, longestStepMs: 15 * MINUTE });
  expect(fixture.shop.record.callsOf("refund").filter(({ outcome }) => outcome === "done")).toHaveLength(3);
  expect(await amountsPaidBack(fixture)).toEqual([2_000]);
});

test("a lost refund as store credit, or one that only puts items back into stock, pays nothing", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  fixture.simulator.webhooks.lose("refunds/create");
  fixture.shop.refundOrder(order.id, xof(2_000), null, "shopify_store_credit");
  fixture.shop.refundOrder(order.id, xof(0), "back into stock");
  await runScheduled(fixture, HOUR);
  expect(fixture.log.filter(({ message }) => message === "shopify.refunds_found")).toMatchObject([
    { fields: { refunds: 2 } },
  ]);
  expect(await amountsPaidBack(fixture)).toEqual([]);
  expect(await fixture.ledger.refunds(payment.id)).toEqual([]);
  expect(unpaidLines(fixture)).toEqual([]);
});

test("a lost refund that the owner meanwhile made at the service is not paid a second time, and the owner reads why", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  fixture.simulator.webhooks.lose("refunds/create");
  fixture.blockWebhooks();
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.advanceTime(5 * HOUR, { longestStepMs: HOUR });
  await refundAtService(fixture, payment, 2_000);
  await runScheduled(fixture, HOUR);
  expect(await amountsPaidBack(fixture)).toEqual([2_000]);
  expect(unpaidLines(fixture).map(({ fields }) => fields)).toEqual([
    { storeId: fixture.shop.domain, orderId: orderIdOf(order), reason: "made_at_service" },
  ]);
  expect((await fixture.shop.install()).text).toContain("du même montant a déjà été effectué");
});

test("a refund that an app recorded in the shop before its database was lost is not paid a second time", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  fixture.simulator.webhooks.lose("refunds/create");
  fixture.blockWebhooks();
  const refundId = await refundAtService(fixture, payment, 2_000);
  await fixture.advanceTime(3 * HOUR, { longestStepMs: HOUR });
  fixture.shop.refundOrder(order.id, xof(2_000), `Tillkit refund ${refundId}`);
  await fixture.advanceTime(HOUR, { longestStepMs: HOUR });
  expect(await fixture.ledger.refunds(payment.id)).toEqual([]);
  await runScheduled(fixture, HOUR);
  expect(await amountsPaidBack(fixture)).toEqual([2_000]);
  expect(unpaidLines(fixture)).toEqual([]);
});

test("a lost refund of more than is left of the payment is shown to the owner once and logged once", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  await refundAtService(fixture, payment, 12_000);
  fixture.simulator.webhooks.lose("refunds/create");
  fixture.blockWebhooks();
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.advanceTime(HOUR, { longestStepMs: HOUR });
  await runScheduled(fixture, HOUR);
  expect(await amountsPaidBack(fixture)).toEqual([12_000]);
  expect(unpaidLines(fixture).map(({ fields }) => fields.reason)).toEqual(["refused"]);
  expect((await fixture.shop.install()).text.match(/le remboursement possible est de 500/g)).toHaveLength(1);
});

test("a refund whose shop uninstalled the app before it was paid is paid once after the reinstallation", async () => {
  const { fixture, order } = await openPaidOrder();
  fixture.simulator.faults.add({ on: "refund", status: 503, times: 3 });
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.simulator.webhooks.settled();
  fixture.shop.uninstall();
  await fixture.advanceTime(3 * HOUR, { longestStepMs: 10 * MINUTE });
  fixture.simulator.faults.clear();
  expect(await amountsPaidBack(fixture)).toEqual([]);
  const waits = fixture.log.filter(({ message }) => message === "shopify.refund_waits");
  expect(waits[0]?.fields).toEqual({ storeId: fixture.shop.domain, orderId: orderIdOf(order) });
  await fixture.shop.install();
  await fixture.advanceTime(2 * HOUR, { longestStepMs: 10 * MINUTE });
  expect(await amountsPaidBack(fixture)).toEqual([2_000]);
});

test("a refund that was made in the shop while the app was uninstalled is paid once after the reinstallation", async () => {
  const { fixture, order } = await openPaidOrder();
  await runScheduled(fixture, 20 * MINUTE);
  fixture.shop.uninstall();
  await fixture.settle();
  fixture.simulator.webhooks.lose("refunds/create");
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.advanceTime(3 * HOUR, { shortestStepMs: MINUTE, longestStepMs: 5 * MINUTE });
  expect(await amountsPaidBack(fixture)).toEqual([]);
  await fixture.shop.install();
  await fixture.advanceTime(HOUR, { shortestStepMs: MINUTE, longestStepMs: 5 * MINUTE });
  expect(await amountsPaidBack(fixture)).toEqual([2_000]);
});

test("a refund whose key of the service was removed is shown to the owner and paid when the key is back", async () => {
  const { fixture, order } = await openPaidOrder();
  const credentialId = `shopify-test-${fixture.shop.domain}`;
  const stored = await fixture.app.checkout.storedCredentials?.list();
  const { status } = await fixture.settings({ do: "remove_test" });
  expect([status, stored?.length, (await fixture.app.checkout.storedCredentials?.list())?.length]).toEqual([303, 1, 0]);
  fixture.shop.refundOrder(order.id, xof(2_000));
  await fixture.advanceTime(HOUR, { longestStepMs: 5 * MINUTE });
  expect(await amountsPaidBack(fixture)).toEqual([]);
  expect(unpaidLines(fixture).map(({ fields }) => fields.reason)).toEqual(["key_missing"]);
  expect((await fixture.shop.install()).text.match(/n’a plus de clé du service/g)).toHaveLength(1);
  await fixture.settings({ testKey: fixture.sandbox.keys.test.secret, gatewayName: "Mobile money" });
  expect((await fixture.app.checkout.storedCredentials?.list())?.map(({ id }) => id)).toEqual([credentialId]);
  await fixture.advanceTime(HOUR, { longestStepMs: 5 * MINUTE });
  expect(await amountsPaidBack(fixture)).toEqual([2_000]);
});
