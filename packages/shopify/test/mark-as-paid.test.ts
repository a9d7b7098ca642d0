import { type Money, money, type Receipt, silentLog, systemClock } from "@tillkit/core";
import { expect, test } from "vitest";
import type { AdminOrder } from "../src/graphql/admin-operations.ts";
import type { Graphql } from "../src/graphql/graphql.ts";
import { markOrderPaid } from "../src/order/mark-order-paid.ts";

// The simulator takes every capture or manual payment that is right; here Shopify refuses both without a reason.

const GATEWAY = "Mobile money";
const REFUSED = [{ field: ["id"], message: "This cannot be done just now." }];
const xof = (minor: number) => money(minor, "XOF");
const shown = ({ minor }: Money) => ({ presentmentMoney: { amount: String(minor), currencyCode: "XOF" } });

/** An order that waits, in a shop that books nothing but by the mark as paid. */
function openShop(outstanding: Money, canMarkAsPaid = true) {
  const sent: string[] = [];
  let order: AdminOrder = {
    id: "gid://shopify/Order/1",
    name: "#1",
    test: true,
    canMarkAsPaid,
    presentmentCurrencyCode: "XOF",
    totalOutstandingSet: shown(outstanding),
    totalReceivedSet: shown(xof(0)),
    statusPageUrl: "https://acme.myshopify.com/orders/1",
    transactions: [sale("PENDING", outstanding)],
    refunds: [],
  };
  const call = async (_shop: string, { name }: { readonly name: string }, variables: object) => {
    sent.push(name);
    if (name === "OrderCapture" || name === "OrderCreateManualPayment") return { userErrors: REFUSED };
    if (name === "OrderKeep") order = { ...order, proof: { value: proofIn(variables) } };
    if (name === "OrderMarkAsPaid") {
      const transactions = [...order.transactions, sale("SUCCESS", outstanding)];
      order = { ...order, transactions, totalOutstandingSet: shown(xof(0)), totalReceivedSet: shown(outstanding) };
    }
    return { userErrors: [] };
  };
  const unused = () => expect.fail("Nothing but the order is needed to book a payment.");
  const pay = (receipt: Receipt) =>
    markOrderPaid(
      {
        shop: "acme.myshopify.com",
        graphql: { call: call as Graphql["call"] },
        read: async () => ({ found: order, gatewayName: GATEWAY, formerGateways: [], paused: false }),
        shops: { find: unused, install: unused, languageOf: unused, change: unused, all: unused },
        lines: { add: unused, list: unused, forget: unused },
        originOf: unused,
        isBegun: unused,
        clock: systemClock,
        log: silentLog,
      },
      receipt,
    );
  return { pay, sent };
}

function sale(status: "PENDING" | "SUCCESS", amount: Money) {
  const id = `gid://shopify/OrderTransaction/${status}`;
  return { id, kind: "SALE", status, gateway: GATEWAY, manualPaymentGateway: true, amountSet: shown(amount) };
}

function proofIn(variables: object): string {
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

const BY_TURNS = ["OrderKeep", "OrderCapture", "OrderCreateManualPayment"];

test("an order whose money Shopify lets nobody book by its amount is marked as paid when all of it was paid", async () => {
  const { pay, sent } = openShop(xof(5_000));
  expect(await pay(receiptOf(xof(5_000), xof(5_000)))).toEqual({ outcome: "recorded", evidence: "read-back" });
  expect(sent).toEqual([...BY_TURNS, "OrderMarkAsPaid"]);
});

test.each([
  ["less was paid than is outstanding", xof(4_000), true],
  ["more was paid than is outstanding", xof(6_000), true],
  ["Shopify says that it cannot be", xof(5_000), false],
])("it is never marked as paid where %s: it is told again later", async (_why, paid, canMarkAsPaid) => {
  const { pay, sent } = openShop(xof(5_000), canMarkAsPaid);
  await expect(pay(receiptOf(paid, xof(5_000)))).rejects.toMatchObject({ code: "unavailable" });
  expect(sent).toEqual(BY_TURNS);
});
