import { money } from "@tillkit/core";
import { balanceOf, financialStatus } from "@tillkit/shopify-simulator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { graphql, type Json, openFixture, TOTAL } from "./fixture.ts";

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

async function admin(query: string, variables: object = {}, version = "2026-07"): Promise<Json> {
  return (await graphql(fixture.shop, { query, variables, version, api: "admin" })).body;
}

const ORDER = `query($id: ID!) { order(id: $id) { id name cancelledAt canMarkAsPaid displayFinancialStatus
  currencyCode presentmentCurrencyCode totalOutstandingSet { presentmentMoney { amount currencyCode } shopMoney { amount currencyCode } }
  transactions(first: 10) { id kind status gateway manualPaymentGateway manuallyCapturable amountSet { presentmentMoney { amount } } } } }`;

const CAPTURE = `mutation($input: OrderCaptureInput!) { orderCapture(input: $input) {
  transaction { id kind status } userErrors { field message } } }`;

const MANUAL_PAYMENT = `mutation($id: ID!, $amount: MoneyInput) { orderCreateManualPayment(id: $id, amount: $amount, paymentMethodName: "Mobile money") {
  order { displayFinancialStatus } userErrors { code field message } } }`;

const MARK_AS_PAID =
  "mutation($id: ID!) { orderMarkAsPaid(input: { id: $id }) { order { displayFinancialStatus } userErrors { field message } } }";

async function pendingSale(id: string): Promise<string> {
  return (await admin(ORDER, { id })).data.order.transactions[0].id;
}

test("an order with a manual payment method has one pending sale", async () => {
  const { id, name } = fixture.shop.placeOrder({ total: TOTAL });
  const { order } = (await admin(ORDER, { id })).data;
  expect(order).toMatchObject({
    name,
    displayFinancialStatus: "PENDING",
    canMarkAsPaid: true,
    totalOutstandingSet: { presentmentMoney: { amount: "12500.0", currencyCode: "XOF" } },
    transactions: [{ kind: "SALE", status: "PENDING", manualPaymentGateway: true, manuallyCapturable: true }],
  });
});

test("a capture records exactly its amount and never more than the outstanding amount", async () => {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  const parentTransactionId = await pendingSale(id);
  const capture = async (amount: string) =>
    (await admin(CAPTURE, { input: { id, parentTransactionId, amount } })).data.orderCapture;
  expect((await capture("5000")).transaction).toMatchObject({ kind: "CAPTURE", status: "SUCCESS" });
  expect((await admin(ORDER, { id })).data.order.displayFinancialStatus).toBe("PARTIALLY_PAID");
  expect((await capture("7500.01")).userErrors).toHaveLength(1);
  expect((await capture("7501")).userErrors[0].message).toContain("greater than the authorized amount");
  expect((await capture("7500.0")).userErrors).toEqual([]);
  expect((await capture("1")).userErrors).toHaveLength(1);
  expect(fixture.shop.record.effectsOf("order-paid")).toHaveLength(2);
});

test("an order in another currency shows both currencies, and a capture must name the shopper's currency", async () => {
  const shop = fixture.simulator.openShop("paris", { currency: "XOF", rates: { EUR: 6.5596 } });
  const { id } = shop.placeOrder({ total: money(10_050, "EUR") });
  const call = (query: string, variables: object) => graphql(shop, { query, variables, api: "admin" });
  const { order } = (await call(ORDER, { id })).body.data;
  expect(order.totalOutstandingSet).toEqual({
    presentmentMoney: { amount: "100.5", currencyCode: "EUR" },
    shopMoney: { amount: "65924.0", currencyCode: "XOF" },
  });
  const input = { id, parentTransactionId: order.transactions[0].id, amount: "100.50" };
  expect((await call(CAPTURE, { input })).body.data.orderCapture.userErrors[0].field).toEqual(["currency"]);
  expect((await call(CAPTURE, { input: { ...input, currency: "EUR" } })).body.data.orderCapture.userErrors).toEqual([]);
});

test("a refused manual payment has an error code", async () => {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  const codeOf = async (amount: string, currencyCode = "XOF", order = id) =>
    (await admin(MANUAL_PAYMENT, { id: order, amount: { amount, currencyCode } })).data.orderCreateManualPayment
      .userErrors[0]?.code;
  expect(await codeOf("12501")).toBe("AMOUNT_EXCEEDS_BALANCE");
  expect(await codeOf("0")).toBe("AMOUNT_NOT_POSITIVE");
  expect(await codeOf("12500", "EUR")).toBe("CURRENCY_MISMATCH");
  expect(await codeOf("12500", "XOF", "gid://shopify/Order/1")).toBe("ORDER_NOT_FOUND");
  expect(await codeOf("12500")).toBeUndefined();
  expect(await codeOf("12500")).toBe("AMOUNT_EXCEEDS_BALANCE");
});

test("marking an order as paid records the outstanding amount", async () => {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  fixture.shop.editOrder(id, money(20_000, "XOF"));
  expect((await admin(MARK_AS_PAID, { id })).data.orderMarkAsPaid.order.displayFinancialStatus).toBe("PAID");
  expect(balanceOf(fixture.shop.orders.find(id) ?? expect.fail("the order is missing")).received).toEqual(
    money(20_000, "XOF"),
  );
  expect((await admin(MARK_AS_PAID, { id })).data.orderMarkAsPaid.userErrors).toHaveLength(1);
});

test("a cancelled order takes no payment", async () => {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  const parentTransactionId = await pendingSale(id);
  fixture.shop.cancelOrder(id);
  expect(
    (await admin(CAPTURE, { input: { id, parentTransactionId, amount: "12500" } })).data.orderCapture.userErrors,
  ).toHaveLength(1);
  const amount = { amount: "12500", currencyCode: "XOF" };
  expect((await admin(MANUAL_PAYMENT, { id, amount })).data.orderCreateManualPayment.userErrors).toHaveLength(1);
  expect((await admin(MARK_AS_PAID, { id })).data.orderMarkAsPaid.userErrors).toHaveLength(1);
  expect(fixture.shop.record.effectsOf("order-paid")).toEqual([]);
});

test("a capture exceeds neither the new outstanding amount of an edited order nor its old pending sale", async () => {
  const cheaper = fixture.shop.placeOrder({ total: TOTAL });
  fixture.shop.editOrder(cheaper.id, money(10_000, "XOF"));
  const capture = async (id: string, amount: string) => {
    const parentTransactionId = await pendingSale(id);
    return (await admin(CAPTURE, { input: { id, parentTransactionId, amount } })).data.orderCapture.userErrors;
  };
  expect(await capture(cheaper.id, "12500")).toHaveLength(1);
  const dearer = fixture.shop.placeOrder({ total: TOTAL });
  fixture.shop.editOrder(dearer.id, money(20_000, "XOF"));
  expect(await capture(dearer.id, "20000")).toHaveLength(1);
  expect(await capture(dearer.id, "12500")).toEqual([]);
  expect(financialStatus(dearer)).toBe("PARTIALLY_PAID");
});

const refundMutation = (
  directive: string,
) => `mutation($input: RefundInput!) { refundCreate(input: $input) ${directive} {
  refund { id totalRefundedSet { presentmentMoney { amount } } } userErrors { field message } } }`;

async function paidOrder() {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  await admin(MARK_AS_PAID, { id });
  const partialRefund = (amount: string) => ({
    orderId: id,
    transactions: [{ orderId: id, amount, gateway: "Mobile money", kind: "REFUND" }],
  });
  return { id, partialRefund };
}

test("a refund requires an idempotency key since version 2026-04, as the schema does not show", async () => {
  const { partialRefund } = await paidOrder();
  const input = partialRefund("1000");
  const withOldVersion = await admin(refundMutation(""), { input }, "2026-01");
  expect(withOldVersion.data.refundCreate.userErrors).toEqual([]);
  const withNewVersion = await admin(refundMutation(""), { input }, "2026-04");
  expect(withNewVersion.errors[0].extensions.code).toBe("BAD_REQUEST");
});

test("a refund takes effect once for each key, and another refund under the same key is refused", async () => {
  const { id, partialRefund } = await paidOrder();
  const query = refundMutation('@idempotent(key: "7c5f6d1e-6c1c-4c7e-8f57-2e3c2a1b0001")');
  const first = await admin(query, { input: partialRefund("1000") });
  const again = await admin(query, { input: partialRefund("1000") });
  expect(again.data.refundCreate.refund.id).toBe(first.data.refundCreate.refund.id);
  expect(fixture.shop.orders.find(id)?.refunds).toHaveLength(1);
  const other = await admin(query, { input: partialRefund("2000") });
  expect(other.errors[0].extensions.code).toBe("IDEMPOTENCY_KEY_PARAMETER_MISMATCH");
});

test("a refund that the merchant makes sends a webhook and can be read with its order", async () => {
  const { id } = await paidOrder();
  const refund = fixture.shop.refundOrder(id, money(2_000, "XOF"), "broken");
  await fixture.simulator.webhooks.settled();
  const webhook = fixture.received.find(({ headers }) => headers["x-shopify-topic"] === "refunds/create");
  expect(JSON.parse(webhook?.body ?? "{}")).toMatchObject({
    admin_graphql_api_id: refund.id,
    transactions: [{ kind: "refund", amount: "2000.0", currency: "XOF" }],
  });
  const query = "query($id: ID!) { refund(id: $id) { note order { id } transactions(first: 5) { nodes { kind } } } }";
  expect((await admin(query, { id: refund.id })).data.refund).toEqual({
    note: "broken",
    order: { id },
    transactions: { nodes: [{ kind: "REFUND" }] },
  });
});

test("a refund of zero only puts items back into stock, and a refund as store credit names that method", async () => {
  const { id } = await paidOrder();
  const restock = fixture.shop.refundOrder(id, money(0, "XOF"));
  const credit = fixture.shop.refundOrder(id, money(2_000, "XOF"), null, "shopify_store_credit");
  const query = "query($id: ID!) { refund(id: $id) { transactions(first: 5) { nodes { kind gateway } } } }";
  const transactionsOf = async (refundId: string) =>
    (await admin(query, { id: refundId })).data.refund.transactions.nodes;
  expect(await transactionsOf(restock.id)).toEqual([]);
  expect(await transactionsOf(credit.id)).toEqual([{ kind: "REFUND", gateway: "shopify_store_credit" }]);
});

test("orders are found by financial status, checkout token and time", async () => {
  const paid = await paidOrder();
  const unpaid = fixture.shop.placeOrder({ total: TOTAL });
  const find = async (query: string) => {
    const found = await admin(
      "query($query: String) { orders(first: 10, query: $query) { nodes { id } pageInfo { hasNextPage } } }",
      { query },
    );
    return found.data.orders.nodes.map((node: Json) => node.id);
  };
  expect(await find("financial_status:pending created_at:>=2026-11-22T00:00:00Z")).toEqual([unpaid.id]);
  expect(await find("financial_status:paid")).toEqual([paid.id]);
  expect(await find(`checkout_token:${unpaid.checkoutToken}`)).toEqual([unpaid.id]);
  expect(await find("created_at:>=2027-01-01")).toEqual([]);
  const both = "updated_at:>='2026-11-22T00:00:00Z' AND (financial_status:paid OR financial_status:pending)";
  expect(await find(both)).toEqual([paid.id, unpaid.id]);
  expect(await find("(financial_status:refunded OR financial_status:partially_refunded)")).toEqual([]);
});

test("tags, notes and metafields are stored", async () => {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  await admin('mutation($id: ID!) { tagsAdd(id: $id, tags: ["to look at"]) { userErrors { message } } }', { id });
  await admin(
    'mutation($id: ID!) { metafieldsSet(metafields: [{ ownerId: $id, namespace: "tillkit", key: "session", type: "single_line_text_field", value: "cs_1" }]) { userErrors { message } } }',
    { id },
  );
  const { data } = await admin(
    'query($id: ID!) { order(id: $id) { tags metafield(namespace: "tillkit", key: "session") { value } } }',
    { id },
  );
  expect(data.order).toEqual({ tags: ["to look at"], metafield: { value: "cs_1" } });
});

test("a field that the simulator does not support is an error and never null", async () => {
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  const { errors } = await admin("query($id: ID!) { order(id: $id) { poNumber } }", { id });
  expect(errors[0].message).toBe("The simulator has no Order.poNumber.");
});

test("a subscription that the app made through the API receives webhooks and cannot be made twice", async () => {
  const create = `mutation($uri: String!) { webhookSubscriptionCreate(topic: ORDERS_CANCELLED, webhookSubscription: { uri: $uri, format: JSON }) {
    webhookSubscription { id uri } userErrors { field message } } }`;
  const uri = `${fixture.appUrl}/cancelled`;
  expect((await admin(create, { uri })).data.webhookSubscriptionCreate.userErrors).toEqual([]);
  expect((await admin(create, { uri })).data.webhookSubscriptionCreate.userErrors).toHaveLength(1);
  const { id } = fixture.shop.placeOrder({ total: TOTAL });
  fixture.shop.cancelOrder(id);
  await fixture.simulator.webhooks.settled();
  expect(fixture.received.map(({ path }) => path)).toContain("/cancelled");
});
