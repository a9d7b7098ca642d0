import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { createNodeTransport, createSendBy, type SendBy } from "@tillkit/client";
import { money, type Receipt, silentLog, systemClock } from "@tillkit/core";
import { createCertificateAuthority } from "@tillkit/shopify-simulator";
import { expect, onTestFinished, test } from "vitest";
import { createOffsiteAdapter } from "../src/offsite/offsite-adapter.ts";
import type { OffsiteStoreParts } from "../src/offsite/offsite-store.ts";
import { modificationMutations } from "../src/operations/payments-operations.ts";
import { markOrderPaid } from "../src/order/mark-order-paid.ts";
import { createOrderStore, type OrderStoreParts } from "../src/order/order-store.ts";
import { NO_ORDER_SETTINGS, type ShopProfile } from "../src/records/shops.ts";
import { createGraphql, type Graphql } from "../src/shopify-api/graphql.ts";

const { resolve } = modificationMutations.refund;

test.each([
  ["its machine slept", { wall: 20_000, monotonic: 0 }],
  ["its wall clock was set back", { wall: -3_600_000, monotonic: 20_000 }],
])("a mutation is not sent when %s during the TLS handshake for longer than its call may take", async (_, moved) => {
  const shopify = await openShopify();
  const sendBy = createSendBy(shopify.clock.now() + 20_000, shopify.clock);
  shopify.beforeHandshake(() => shopify.move(moved));
  const call = shopify.graphql.withSendBy(sendBy).call("acme.myshopify.com", resolve, { id: "gid://1" });
  await expect(call).rejects.toMatchObject({ name: "StoreError", code: "unavailable" });
  expect(shopify.requests()).toBe(0);
});

test("a mutation is sent when its connection is ready in time", async () => {
  const shopify = await openShopify();
  const sendBy = createSendBy(shopify.clock.now() + 20_000, shopify.clock);
  shopify.beforeHandshake(() => shopify.move({ wall: 19_999, monotonic: 19_999 }));
  await shopify.graphql.withSendBy(sendBy).call("acme.myshopify.com", resolve, { id: "gid://1" });
  expect(shopify.requests()).toBe(1);
});

test("a payment of an order is written within 13 s of its call, and read within 20 s", async () => {
  const { graphql, sent } = recordingGraphql(() => PENDING_ORDER);
  const parts = {
    ...unusedParts,
    graphql,
    shops: { find: async () => ({ ...NO_ORDER_SETTINGS, gatewayName: GATEWAY }) },
  } as unknown as OrderStoreParts;
  const store = createOrderStore("acme.myshopify.com", parts);
  // The stub of Shopify records nothing, so the order stays unpaid.
  await expect(markOrderPaid(store, RECEIPT)).rejects.toMatchObject({ code: "unknown" });
  expect(sent.length).toBeGreaterThanOrEqual(4);
  for (const { isQuery, ms } of sent) expect(ms).toBe(isQuery ? 20_000 : 13_000);
});

test("a payment session is written within 20 s of the adapter's call", async () => {
  const { graphql, sent } = recordingGraphql(() => null);
  const session = { gid: "gid://1", group: "group-1", rejectedAt: null, pendingUntil: null };
  const sessions = { find: async () => session, update: async () => undefined };
  const claims = { find: async () => null, claim: async (_: unknown, claim: object) => ({ ...claim, isFirst: true }) };
  const parts = {
    shopUrl: (domain: string) => `https://${domain}`,
    ...unusedParts,
    graphql,
    sessions,
    claims,
    shops: { languageOf: async () => "en" },
  };
  const adapter = createOffsiteAdapter("acme.myshopify.com", parts as unknown as OffsiteStoreParts, {} as ShopProfile);
  const ref = { storeId: "acme.myshopify.com", orderId: "group-1" };
  await adapter.markPending?.(ref, "gid://1", NOW + 60_000);
  await adapter.markRefused?.(ref, "gid://1", { code: "order_not_payable", why: null });
  await adapter.markPaid({ ...RECEIPT, ref, attempt: "gid://1" }).catch(() => undefined);
  expect(sent.map(({ ms }) => ms)).toEqual([20_000, 20_000, 20_000]);
});

const NOW = Date.UTC(2026, 10, 28, 9);
const GATEWAY = "Mobile money";
const TOTAL = money(5_000, "XOF");
const RECEIPT: Receipt = {
  paymentId: "payment-1",
  ref: { storeId: "acme.myshopify.com", orderId: "1" },
  attempt: "",
  sessionId: "cs_1",
  transactionId: "txn_1",
  paid: TOTAL,
  total: TOTAL,
  environment: "test",
  fence: 1,
};
const BAG = { presentmentMoney: { amount: "5000", currencyCode: "XOF" } };
const PENDING_ORDER = {
  id: "gid://shopify/Order/1",
  name: "#1",
  test: true,
  canMarkAsPaid: true,
  presentmentCurrencyCode: "XOF",
  totalOutstandingSet: BAG,
  totalReceivedSet: { presentmentMoney: { amount: "0", currencyCode: "XOF" } },
  statusPageUrl: "https://acme.myshopify.com/orders/1",
  transactions: [
    {
      id: "gid://shopify/OrderTransaction/1",
      kind: "SALE",
      status: "PENDING",
      gateway: GATEWAY,
      manualPaymentGateway: true,
      amountSet: BAG,
    },
  ],
  refunds: [],
};
const unusedParts = {
  clock: { now: () => NOW, sleep: systemClock.sleep },
  log: silentLog,
  isStarted: async () => true,
};

/** Shopify, which answers at once. Records how long after the start of its call each request may be sent. */
function recordingGraphql(read: () => unknown) {
  const sent: { readonly isQuery: boolean; readonly ms: number }[] = [];
  const graphqlWith = (sendBy?: SendBy): Graphql => ({
    async call(_shop, { text }) {
      const isQuery = text.startsWith("query");
      sent.push({ isQuery, ms: (sendBy?.at ?? Number.NaN) - NOW });
      return (isQuery ? read() : { userErrors: [] }) as never;
    },
    withSendBy: graphqlWith,
  });
  return { graphql: graphqlWith(), sent };
}

/** Shopify's API behind a relay, and clocks that a test moves before the handshake. */
async function openShopify() {
  let [wall, monotonic, requests] = [NOW, 1_000, 0];
  let beforeHandshake: () => void = () => undefined;
  const authority = createCertificateAuthority("An authority of the tests");
  const server = createServer(authority.issue("shop", ["127.0.0.1"]), (request, response) => {
    requests += 1;
    const body = JSON.stringify({ data: { refundSessionResolve: { refundSession: { id: "1" }, userErrors: [] } } });
    request.resume().on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const relay = createTcpServer({ pauseOnConnect: true }, (socket) => {
    beforeHandshake();
    const inner = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => socket.destroy());
    socket.on("error", () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    relay.close();
    server.close();
    server.closeAllConnections();
  });
  const clock = { now: () => wall, monotonicNow: () => monotonic, sleep: () => new Promise<void>(() => undefined) };
  const graphql = createGraphql({
    tokens: { get: async () => "token-0", replace: async () => "token-1" },
    shopUrl: () => `https://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    apiVersion: "2026-07",
    clock,
    transport: createNodeTransport({ ca: authority.certificate }),
    onAnswered: async () => {},
    onReconnectRequired: async () => undefined,
    onAccessDenied: async () => undefined,
  });
  return {
    clock,
    graphql,
    requests: () => requests,
    beforeHandshake(run: () => void) {
      beforeHandshake = run;
    },
    move(by: { readonly wall: number; readonly monotonic: number }) {
      wall += by.wall;
      monotonic += by.monotonic;
    },
  };
}
