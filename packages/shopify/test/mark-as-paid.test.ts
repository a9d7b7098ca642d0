import { type Money, money, type Receipt, silentLog, systemClock } from "@tillkit/core";
import { expect, test } from "vitest";
import type { AdminOrder } from "../src/operations/order-queries.ts";
import { markOrderPaid } from "../src/order/mark-order-paid.ts";
import type { OrderStore } from "../src/order/order-store.ts";
import { NO_ORDER_SETTINGS } from "../src/records/shops.ts";
import type { Graphql } from "../src/shopify-api/graphql.ts";

// The simulator accepts every valid capture and manual payment. In these tests Shopify refuses both without a reason.

const GATEWAY = "Mobile money";
const REFUSED = [{ field: ["id"], message: "This cannot be done at the moment." }];
const xof = (minor: number) => money(minor, "XOF");
const moneyBag = ({ minor }: Money) => ({ presentmentMoney: { amount: String(minor), currencyCode: "XOF" } });

/** A pending order in a shop where Shopify refuses to capture it and to add a manual payment. `sent`: the mutations of the app. */
function openShop(outstanding: Money, { canMarkAsPaid = true } = {}) {
  const sent: string[] = [];
  let order: AdminOrder = {
    id: "gid://shopify/Order/1",
    name: "#1",
    test: true,
    canMarkAsPaid,
    presentmentCurrencyCode: "XOF",
    totalOutstandingSet: moneyBag(outstanding),
    totalReceivedSet: moneyBag(xof(0)),
    statusPageUrl: "https://acme.myshopify.com/orders/1",
    transactions: [sale("PENDING", outstanding)],
    refunds: [],
  };
  const call = async (_shop: string, { name }: { readonly name: string }, variables: object) => {
    sent.push(name);
    if (name === "OrderCapture" || name === "OrderCreateManualPayment") return { userErrors: REFUSED };
    if (name === "OrderMetafieldsSet") order = { ...order, paymentId: { value: writtenValue(variables) } };
    if (name === "OrderMarkAsPaid") {
      const transactions = [...order.transactions, sale("SUCCESS", outstanding)];
      order = {
        ...order,
        transactions,
        totalOutstandingSet: moneyBag(xof(0)),
        totalReceivedSet: moneyBag(outstanding),
      };
    }
    return { userErrors: [] };
  };
  const graphql: Graphql = { call: call as Graphql["call"], withSendBy: () => graphql };
  const store: OrderStore = {
    shop: "acme.myshopify.com",
    graphql,
    read: async () => ({ ...NO_ORDER_SETTINGS, adminOrder: order, gatewayName: GATEWAY, paused: false }),
    forOneCall: () => store,
    shops: { find: unused, install: unused, languageOf: unused, update: unused, all: unused },
    notices: { add: unused, list: unused, prune: unused },
    shopUrl: unused,
    isStarted: unused,
    clock: systemClock,
    log: silentLog,
  };
  const pay = (receipt: Receipt) => markOrderPaid(store, receipt);
  return { pay, sent };
}

const unused = () => expect.fail("Recording a payment must not use this part.");

function sale(status: "PENDING" | "SUCCESS", amount: Money) {
  const id = `gid://shopify/OrderTransaction/${status}`;
  return { id, kind: "SALE", status, gateway: GATEWAY, manualPaymentGateway: true, amountSet: moneyBag(amount) };
}

function writtenValue(variables: object): string {
  return (variables as { readonly metafields: readonly { readonly value: string }[] }).metafields[0]?.value ?? "";
}

function receiptOf(paid: Money, total: Money): Receipt {
  return {
    paymentId: "payment-1",
    ref: { storeId: "acme.myshopify.com", orderId: "1" },
    attempt: "",
    sessionId: "cs_1",
    transactionId: "txn_1",
    paid,
    total,
    environment: "test",
    fence: 1,
  };
}

const REFUSED_MUTATIONS = ["OrderMetafieldsSet", "OrderCapture", "OrderCreateManualPayment"];

test("an order is marked as paid when Shopify refuses every exact mutation and the full amount was paid", async () => {
  const { pay, sent } = openShop(xof(5_000));
  expect(await pay(receiptOf(xof(5_000), xof(5_000)))).toEqual({ outcome: "recorded", evidence: "read-back" });
  expect(sent).toEqual([...REFUSED_MUTATIONS, "OrderMarkAsPaid"]);
});

test.each([
  ["less than the outstanding amount was paid", xof(4_000), true],
  ["more than the outstanding amount was paid", xof(6_000), true],
  ["Shopify does not allow it", xof(5_000), false],
])("an order is not marked as paid but tried again later when %s", async (_reason, paid, canMarkAsPaid) => {
  const { pay, sent } = openShop(xof(5_000), { canMarkAsPaid });
  await expect(pay(receiptOf(paid, xof(5_000)))).rejects.toMatchObject({ code: "unavailable" });
  expect(sent).toEqual(REFUSED_MUTATIONS);
});
