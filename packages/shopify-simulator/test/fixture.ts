import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { money } from "@tillkit/core";
import { createShopifySimulator, type ShopifySimulatorOptions, type SimulatedShop } from "@tillkit/shopify-simulator";
import { createManualClock } from "@tillkit/testkit";

const STARTED_AT = Date.UTC(2026, 10, 22, 9);
export const TOTAL = money(12_500, "XOF");
const VERSION = "2026-07";

export type ReceivedRequest = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type Respond = (received: ReceivedRequest) => { readonly status: number; readonly body?: unknown };

/** A simulator with a manual clock, a shop with the currency XOF, and an app that records its requests. */
export async function openFixture(options: ShopifySimulatorOptions & { readonly respond?: Respond } = {}) {
  const { respond = accept, ...rest } = options;
  const clock = createManualClock(STARTED_AT);
  const simulator = await createShopifySimulator({ clock, ...rest });
  const app = await listen(respond);
  simulator.connectApp({
    url: app.url,
    paymentUrl: "/payment",
    refundUrl: "/refund",
    captureUrl: "/capture",
    voidUrl: "/void",
    webhooks: { url: "/webhooks", topics: ["orders/create", "orders/updated", "app/uninstalled", "refunds/create"] },
  });
  const shop = simulator.openShop("acme");
  return {
    clock,
    simulator,
    shop,
    appUrl: app.url,
    received: app.received,
    close: async () => {
      await simulator.close();
      app.close();
    },
  };
}

function accept({ path }: ReceivedRequest) {
  return { status: 201, body: { redirect_url: `https://app.example/pay${path}` } };
}

async function listen(respond: Respond) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const receivedRequest = {
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(receivedRequest);
    const { status, body } = respond(receivedRequest);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}

/** Issues an access token of the shop. */
export function tokenOf(shop: SimulatedShop, scope = "write_payment_sessions,write_payment_gateways,write_orders") {
  return shop.tokens.issue(scope, { isExpiring: true }).access_token;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of a GraphQL response
export type Json = any;

export async function graphql(
  shop: SimulatedShop,
  call: {
    readonly query: string;
    readonly variables?: object;
    readonly token?: string;
    readonly api?: "payments_apps" | "admin";
    readonly version?: string;
  },
) {
  const { query, variables = {}, token = tokenOf(shop), api = "payments_apps", version = VERSION } = call;
  const response = await fetch(`${shop.origin}/${api}/api/${version}/graphql.json`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Shopify-Access-Token": token },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text.startsWith("{") ? JSON.parse(text) : text) as Json,
  };
}

const SESSION_FIELDS =
  "paymentSession { id state { __typename } nextAction { action context { ... on PaymentSessionActionsRedirect { redirectUrl } } } }";

export async function resolve(shop: SimulatedShop, id: string) {
  const query = `mutation Resolve($id: ID!) { paymentSessionResolve(id: $id) { ${SESSION_FIELDS} userErrors { field message } } }`;
  return (await graphql(shop, { query, variables: { id } })).body.data.paymentSessionResolve;
}

export async function reject(shop: SimulatedShop, id: string, code = "PROCESSING_ERROR") {
  const query = `mutation Reject($id: ID!, $reason: PaymentSessionRejectionReasonInput!) {
    paymentSessionReject(id: $id, reason: $reason) { ${SESSION_FIELDS} userErrors { field message } } }`;
  return (await graphql(shop, { query, variables: { id, reason: { code } } })).body.data.paymentSessionReject;
}

export async function pending(shop: SimulatedShop, id: string, until: number) {
  const query = `mutation Pending($id: ID!, $until: DateTime!) {
    paymentSessionPending(id: $id, pendingExpiresAt: $until, reason: BUYER_ACTION_REQUIRED) { ${SESSION_FIELDS} userErrors { code field message } } }`;
  const variables = { id, until: new Date(until).toISOString() };
  return (await graphql(shop, { query, variables })).body.data.paymentSessionPending;
}
