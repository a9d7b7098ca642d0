import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeTransport } from "@tillkit/client";
import { money, systemClock } from "@tillkit/core";
import { createShopifySimulator } from "@tillkit/shopify-simulator";
import { afterEach, describe, expect, it } from "vitest";
import type { OrderFact } from "../src/facts/facts.ts";
import { createMedusaReader } from "../src/readers/medusa.ts";
import { createReadOnlyTransport } from "../src/readers/read-only.ts";
import type { OrderReader } from "../src/readers/reader.ts";
import { createShopifyReader } from "../src/readers/shopify.ts";
import { createVendureReader, VENDURE_LOG_IN } from "../src/readers/vendure.ts";
import { openFactStore } from "../src/store/fact-store.ts";

const DAY = 86_400_000;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Request = { readonly method: string; readonly url: string; readonly body: string };

/** A server with fixed answers, as the admin API of a platform gives them. */
async function serve(answer: (request: Request) => object, headers: Record<string, string> = {}) {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const part of incoming) body += part;
    const request = { method: incoming.method ?? "", url: decodeURIComponent(incoming.url ?? ""), body };
    requests.push(request);
    outgoing.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(answer(request)));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function readOrders(reader: OrderReader, now = Date.now() + DAY) {
  const store = await openFactStore("sqlite::memory:");
  const coverage = await reader.read({
    from: now - 90 * DAY,
    until: now,
    now,
    store: store.source(`shop ${reader.shop}`),
    clock: systemClock,
    signal: new AbortController().signal,
    recheckMs: 3 * DAY,
    onProgress: () => undefined,
    hashCustomer: () => null,
  });
  const orders: OrderFact[] = [];
  for await (const order of store.facts<OrderFact>("order")) orders.push(order);
  await store.close();
  return { coverage, orders };
}

const TRANSACTION = "0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11";
const SESSION = "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33";

describe("Shopify", () => {
  it("orders are read by queries, with what was paid, refunded and cancelled, and the report names the 60 days", async () => {
    const simulator = await createShopifySimulator();
    simulator.connectApp({ url: "http://127.0.0.1:9" });
    const shop = simulator.openShop("acme", { currency: "XOF" });
    const token = shop.tokens.issue("read_orders", { isExpiring: false }).access_token;
    const paid = shop.placeOrder({ total: money(12_500, "XOF") });
    shop.markOrderAsPaid(paid.id);
    shop.refundOrder(paid.id, money(2_500, "XOF"));
    const cancelled = shop.placeOrder({ total: money(4_000, "XOF") });
    shop.cancelOrder(cancelled.id);
    shop.placeOrder({ total: money(7_000, "XOF"), test: true });
    const now = Date.now();
    const { orders, coverage } = await readOrders(createShopifyReader({ shop: "acme", url: shop.origin, token }), now);
    await simulator.close();
    const rows = orders.map(({ state, total, refunded, isTest }) => [state, total.minor, refunded?.minor ?? 0, isTest]);
    expect(rows.sort()).toEqual([
      ["cancelled", 4_000, 0, false],
      ["paid", 12_500, 2_500, false],
      ["unpaid", 7_000, 0, true],
    ]);
    expect(coverage.from).toBe(now - 60 * DAY);
  });
});

describe("Medusa", () => {
  const order = {
    id: "order_1",
    display_id: 7,
    status: "pending",
    payment_status: "partially_refunded",
    currency_code: "xof",
    total: 12500,
    created_at: "2026-11-01T10:00:00.000Z",
    updated_at: "2026-11-01T11:00:00.000Z",
    canceled_at: null,
    metadata: null,
    payment_collections: [
      {
        id: "pay_col_1",
        status: "completed",
        payment_sessions: [{ id: "payses_1" }],
        payments: [
          {
            id: "pay_1",
            provider_id: "pp_gateway_x",
            data: { checkout_session_id: SESSION },
            amount: 12500,
            captured_at: "2026-11-01T10:05:00.000Z",
            canceled_at: null,
            captures: [{ amount: 12500 }],
            refunds: [{ amount: 2500 }],
          },
        ],
      },
    ],
  };

  it("an order is read with the session in its payment's data, its captures and its refunds, by GET only", async () => {
    const { url, requests } = await serve(() => ({ orders: [order], count: 1, offset: 0, limit: 100 }));
    const { orders } = await readOrders(
      createMedusaReader({ shop: "medusa", url, token: "sk_1" }),
      Date.UTC(2026, 10, 2),
    );
    expect(orders).toMatchObject([
      {
        id: "order_1",
        number: "7",
        state: "paid",
        method: "pp_gateway_x",
        names: [SESSION],
        aliases: ["pay_col_1", "payses_1"],
        paid: { minor: 12_500, currency: "XOF" },
        refunded: { minor: 2_500, currency: "XOF" },
      },
    ]);
    expect(requests.map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("Vendure", () => {
  const item = {
    id: "12",
    code: "QF7RJ2",
    state: "PaymentSettled",
    createdAt: "2026-11-01T10:00:00.000Z",
    updatedAt: "2026-11-01T11:00:00.000Z",
    orderPlacedAt: "2026-11-01T10:05:00.000Z",
    currencyCode: "XOF",
    totalWithTax: 1_250_000,
    payments: [
      {
        id: "3",
        createdAt: "2026-11-01T10:05:00.000Z",
        method: "service",
        amount: 1_250_000,
        state: "Settled",
        transactionId: TRANSACTION,
        metadata: {},
        refunds: [
          { id: "1", total: 250_000, state: "Settled", transactionId: "x" },
          { id: "2", total: 100_000, state: "Failed", transactionId: "" },
        ],
      },
    ],
  };
  const answerWith =
    (precision: number) =>
    ({ body }: Request) =>
      JSON.parse(body).query === VENDURE_LOG_IN
        ? { data: { login: { __typename: "CurrentUser" } } }
        : {
            data: {
              globalSettings: { serverConfig: { moneyStrategyPrecision: precision } },
              orders: { totalItems: 1, items: [item] },
            },
          };

  it("a shop that counts in thousandths is read in thousandths", async () => {
    const { url } = await serve(answerWith(3), { "vendure-auth-token": "token-1" });
    const reader = createVendureReader({ shop: "vendure", url, user: "owner", password: "secret" });
    const { orders } = await readOrders(reader, Date.UTC(2026, 10, 2));
    expect(orders).toMatchObject([{ total: { minor: 1_250 }, paid: { minor: 1_250 }, refunded: { minor: 250 } }]);
  });

  it("an order is read in hundredths of any currency, with its transaction and the refunds that did not fail", async () => {
    const { url, requests } = await serve(answerWith(2), { "vendure-auth-token": "token-1" });
    const reader = createVendureReader({ shop: "vendure", url, user: "owner", password: "secret" });
    const { orders } = await readOrders(reader, Date.UTC(2026, 10, 2));
    expect(orders).toMatchObject([
      { number: "QF7RJ2", state: "paid", names: [TRANSACTION], total: { minor: 12_500 }, refunded: { minor: 2_500 } },
    ]);
    const operations = requests.map(({ body }) => /^\w+/.exec(JSON.parse(body).query)?.[0]);
    expect(operations).toEqual(["mutation", "query"]);
  });
});

describe("a transport that only reads", () => {
  const transport = createReadOnlyTransport(createNodeTransport(), VENDURE_LOG_IN);
  const post = (body: unknown, method = "POST") => ({
    method,
    headers: {},
    body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
    signal: new AbortController().signal,
    maxBytes: 1_000,
    reuseConnection: true,
  });

  it.each([
    ["a POST", post("{}")],
    ["a PUT", post({ query: "query { a }" }, "PUT")],
    ["a DELETE", post({ query: "query { a }" }, "DELETE")],
    ["a mutation", post({ query: "mutation { a }" })],
    ["a mutation behind a query", post({ query: "query A { a } mutation B { b }" })],
    ["a mutation after a comment", post({ query: "# query { a }\nmutation { b }" })],
    ["a mutation in a batch", post([{ query: "mutation { b }" }])],
    ["a mutation that hides behind a text", post({ query: 'query A { a(b: "}") } mutation { c }' })],
    ["a mutation after a fragment", post({ query: "fragment F on A { b } mutation { c }" })],
    ["a subscription", post({ query: "subscription { a }" })],
    ["a stored document", post({ query: "query { a }", extensions: { persistedQuery: {} } })],
    ["a document that does not end", post({ query: "query { a" })],
    ["a log-in with a second field", post({ query: VENDURE_LOG_IN.replace("{ __typename }", "{ __typename } b") })],
  ])("%s is refused, and nothing arrives at the other end", async (_name, request) => {
    const { url, requests } = await serve(() => ({}));
    await expect(transport({ ...request, url })).rejects.toMatchObject({ code: "not_read_only" });
    expect(requests).toEqual([]);
  });

  it("queries in every form are sent", async () => {
    const { url, requests } = await serve(() => ({}));
    const queries = [
      "{ a }",
      "query { a }",
      "query A($b: [C!]! = {d: 1}) @e { a }",
      'fragment F on A { b } query { ...F(c: "mutation {") }',
    ];
    for (const query of [...queries, VENDURE_LOG_IN]) await transport({ ...post({ query, variables: {} }), url });
    expect(requests).toHaveLength(5);
  });
});
