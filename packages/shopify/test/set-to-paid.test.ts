import { type Money, money, type Receipt } from "@tillkit/core";
import { balanceOf, type ShopOrder } from "@tillkit/shopify-simulator";
import { expect, onTestFinished, test } from "vitest";
import { type AppFixture, GATEWAY, openAppFixture } from "./app-fixture.ts";

const xof = (minor: number) => money(minor, "XOF");
const PAYMENT_ID = "$app:tillkit.payment";

async function open(total: Money = xof(5_000)) {
  const fixture = await openAppFixture({ mode: "order" });
  onTestFinished(() => fixture.close());
  const order = fixture.shop.placeOrder({ total, gateway: GATEWAY, test: true });
  const adapter = await fixture.adapter();
  const ref = { storeId: "acme.myshopify.com", orderId: order.id.replace(/.*\//, "") };
  const receipt: Receipt = {
    paymentId: "payment-1",
    ref,
    attempt: "",
    sessionId: "cs_1",
    transactionId: "txn_1",
    paid: total,
    total,
    environment: "test",
    alreadyPaid: true,
    fence: 1,
  };
  const readOrder = () => adapter.findOrder(ref, "");
  return { fixture, order, adapter, receipt, readOrder, notAccepted: withoutAcceptance(receipt) };
}

/** The receipt of a payment that the owner did not accept by marking the order as paid. */
function withoutAcceptance({ alreadyPaid: _flag, ...receipt }: Receipt): Receipt {
  return receipt;
}

const recordedPayments = ({ transactions }: ShopOrder) =>
  transactions.filter(({ status }) => status === "SUCCESS").length;
/** The mutations of orders that the app sent, such as `orderCapture`. The field `order` reads an order. */
const orderMutations = ({ shop }: AppFixture) =>
  shop.record.calls.map(({ field }) => field).filter((field) => field.startsWith("order") && field !== "order");

test("an order that the owner marked as paid in Shopify is read as set to paid by the owner at that time", async () => {
  const { fixture, order, readOrder } = await open();
  await fixture.clock.advance(90_000);
  fixture.shop.markOrderAsPaid(order.id);
  const at = fixture.clock.now();
  expect(await readOrder()).toMatchObject({
    paidBy: "owner",
    payable: false,
    total: xof(5_000),
    markedPaid: { by: null, at },
  });
});

test("an order that was paid in cash is read as paid outside", async () => {
  const { fixture, order, readOrder } = await open();
  fixture.shop.payOrderOutside(order.id, xof(5_000));
  expect(await readOrder()).toMatchObject({ paidBy: "outside", payable: false });
});

test.each<readonly [string, (fixture: AppFixture, order: ShopOrder) => void]>([
  [
    "partly in cash, and the rest was marked as paid",
    ({ shop }, { id }) => {
      shop.payOrderOutside(id, xof(2_000));
      shop.markOrderAsPaid(id);
    },
  ],
  ["by an unnamed method", ({ shop }, { id }) => void shop.payOrderOutside(id, xof(5_000), "manual")],
  ["by the method that Shopify calls Other", ({ shop }, { id }) => void shop.payOrderOutside(id, xof(5_000), "Other")],
  ["only in part, under our own method", ({ shop }, { id }) => void shop.payOrderOutside(id, xof(2_000), GATEWAY)],
])("the payer of an order is unclear when it was paid %s", async (_howItWasPaid, pay) => {
  const { fixture, order, readOrder, adapter, receipt, notAccepted } = await open();
  pay(fixture, order);
  const before = structuredClone(order.transactions);
  expect(await readOrder()).toMatchObject({ paidBy: "unclear", payable: false });
  await expect(adapter.markPaid(notAccepted)).rejects.toMatchObject({ code: "unavailable" });
  expect(order.metafields.has(PAYMENT_ID)).toBe(false);
  // This receipt says that the owner accepted the payment.
  expect(await adapter.markPaid(receipt)).toEqual({ outcome: "recorded", evidence: "read-back" });
  expect(await readOrder()).toMatchObject({ paidBy: "payment-1", payable: false });
  expect(order.transactions).toEqual(before);
  expect(orderMutations(fixture)).toEqual([]);
});

test("the payment that the owner accepted by marking the order as paid is named on it, and no money is recorded again", async () => {
  const { fixture, order, adapter, receipt, readOrder } = await open();
  fixture.shop.markOrderAsPaid(order.id);
  const before = structuredClone(order.transactions);
  expect(await adapter.markPaid(receipt)).toEqual({ outcome: "recorded", evidence: "read-back" });
  expect(await adapter.markPaid(receipt)).toEqual({ outcome: "already", evidence: "read-back" });
  expect(order.metafields.get(PAYMENT_ID)?.value).toBe("payment-1");
  expect(order.transactions).toEqual(before);
  expect(orderMutations(fixture)).toEqual([]);
  expect(await readOrder()).toMatchObject({ paidBy: "payment-1", payable: false });
});

test("an order that was marked as paid refuses a payment that the owner did not accept", async () => {
  const { fixture, order, adapter, notAccepted } = await open();
  fixture.shop.markOrderAsPaid(order.id);
  expect(await adapter.markPaid(notAccepted)).toMatchObject({ outcome: "other-payment" });
  expect([recordedPayments(order), order.metafields.has(PAYMENT_ID)]).toEqual([1, false]);
});

test.each<readonly [string, (fixture: AppFixture, order: ShopOrder) => void, Partial<Receipt>, string]>([
  ["was paid in cash instead", ({ shop }, { id }) => void shop.payOrderOutside(id, xof(5_000)), {}, "other-payment"],
  [
    "was marked as paid, then cancelled",
    ({ shop }, { id }) => {
      shop.markOrderAsPaid(id);
      shop.cancelOrder(id);
    },
    {},
    "not-payable",
  ],
  [
    "is a test order, while the payment is a live one",
    ({ shop }, { id }) => void shop.markOrderAsPaid(id),
    { environment: "live" },
    "not-payable",
  ],
])("an accepted payment changes nothing on an order that %s", async (_whatHappened, decide, change, outcome) => {
  const { fixture, order, adapter, receipt } = await open();
  decide(fixture, order);
  const before = [recordedPayments(order), order.cancelledAt, balanceOf(order)];
  expect(await adapter.markPaid({ ...receipt, ...change })).toMatchObject({ outcome });
  expect([recordedPayments(order), order.cancelledAt, balanceOf(order)]).toEqual(before);
  expect(order.metafields.has(PAYMENT_ID)).toBe(false);
});

test("an accepted payment records nothing on an order that is no longer marked as paid, and is verified again later", async () => {
  const { order, adapter, receipt } = await open();
  await expect(adapter.markPaid(receipt)).rejects.toMatchObject({ code: "unavailable" });
  expect([recordedPayments(order), order.metafields.has(PAYMENT_ID)]).toEqual([0, false]);
});
