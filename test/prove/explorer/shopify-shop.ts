import type { Transport, TransportRequest } from "@tillkit/client";
import { decimalText, type StoreAdapter, silentLog } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { createGroupClaims } from "@tillkit/core/payment-groups";
import { balanceOf, type LocalShop, openLocalShop, type ShopOrder } from "@tillkit/shopify-simulator";
import type { OpenStore, PlacedOrder, SimulatableStore, StorePorts, WrapPort } from "@tillkit/testkit";
import { createOffsiteAdapter } from "../../../packages/shopify/src/offsite/offsite-adapter.ts";
import { createOrderAdapter } from "../../../packages/shopify/src/order/order-adapter.ts";
import { createOwnerNotices } from "../../../packages/shopify/src/records/owner-notices.ts";
import { createPaymentSessions } from "../../../packages/shopify/src/records/payment-sessions.ts";
import { createSessionCustomers } from "../../../packages/shopify/src/records/session-customers.ts";
import { createShops } from "../../../packages/shopify/src/records/shops.ts";
import { createGraphql } from "../../../packages/shopify/src/shopify-api/graphql.ts";

const SHOP = "boutique.myshopify.com";
const GATEWAY = "Mobile money";

/** Opens a simulated shop of Shopify. Every GraphQL request of the adapter is a step, and so is each of its own records that decide. */
export function openShopify(mode: "order" | "offsite"): OpenStore<SimulatableStore> {
  return async (ports) => {
    const local = openLocalShop(SHOP, ports.clock, countingBytes());
    const shops = createShops(ports.records);
    await shops.install(SHOP, "", ports.clock.now());
    await shops.update(SHOP, { gatewayName: GATEWAY, testGatewayName: GATEWAY, language: "en" });
    const { access_token: token } = local.shop.tokens.issue(
      "read_orders,write_orders,write_payment_gateways,write_payment_sessions",
      { isExpiring: false },
    );
    const connect = (wrap: WrapPort) => connectTo(mode, local, ports, { wrap, token });
    const ofMode = mode === "order" ? ordersOf(local, ports.records) : checkoutsOf(local, ports);
    return { storeId: SHOP, connect, ...ofMode, close: async () => local.close() };
  };
}

type Connection = { readonly wrap: WrapPort; readonly token: string };

function connectTo(
  mode: "order" | "offsite",
  local: LocalShop,
  { clock, records }: StorePorts,
  { wrap, token }: Connection,
): StoreAdapter {
  const shops = createShops(records);
  const notices = createOwnerNotices(records, clock.now);
  const nothing = async () => {};
  const shopUrl = (domain: string) => `https://${domain}`;
  const graphql = createGraphql({
    tokens: { get: async () => token, replace: async () => token },
    shopUrl,
    apiVersion: "2026-07",
    clock,
    transport: transportTo(local, wrap),
    onAnswered: nothing,
    onReconnectRequired: nothing,
    onAccessDenied: nothing,
  });
  const parts = { shops, notices, graphql, shopUrl, clock, log: silentLog };
  const profile = { name: null, homeUrl: null, logoUrl: null, color: null };
  if (mode === "order") return createOrderAdapter(SHOP, { ...parts, isStarted: async () => true }, profile);
  const deciding: Records = wrap(records, { reads: ["get", "list"] });
  const sessions = createPaymentSessions(deciding);
  const claims = createGroupClaims(deciding, "shopify-group");
  return createOffsiteAdapter(
    SHOP,
    { ...parts, sessions, customers: createSessionCustomers(records), claims },
    profile,
  );
}

/** `what`: a request without its token. */
type Call = (what: string, sendBy: number | undefined, request: TransportRequest) => ReturnType<Transport>;

function transportTo(local: LocalShop, wrap: WrapPort): Transport {
  const answer: Call = async (_what, _sendBy, { url, headers, body = new Uint8Array() }) => {
    const api = new URL(url).pathname.startsWith("/admin") ? "admin" : "payments_apps";
    const { status, body: text } = await local.call(api, { headers, bytes: Buffer.from(body) });
    return { status, headers: {}, body: new TextEncoder().encode(text) };
  };
  const calls = wrap<{ read: Call; write: Call }>(
    { read: answer, write: answer },
    { reads: ["read"], sendBy: (_what: string, sendBy: number | undefined) => sendBy },
  );
  return async (request) => {
    const { query, variables } = JSON.parse(Buffer.from(request.body ?? []).toString("utf8"));
    const isRead = query.trimStart().startsWith("query");
    return await calls[isRead ? "read" : "write"](`${query} ${JSON.stringify(variables)}`, request.sendBy?.at, request);
  };
}

function ordersOf({ shop }: LocalShop, records: Records) {
  const orderOf = ({ ref }: PlacedOrder): ShopOrder => {
    const order = shop.orders.find(`gid://shopify/Order/${ref.orderId}`);
    if (!order) throw new Error(`The shop has no order ${ref.orderId}.`);
    return order;
  };
  return {
    async placeOrder({ total, language }: Parameters<SimulatableStore["placeOrder"]>[0]): Promise<PlacedOrder> {
      const order = shop.placeOrder({ total, gateway: GATEWAY, test: true, locale: language });
      return { ref: { storeId: SHOP, orderId: order.id.replace(/.*\//, "") }, attempt: "" };
    },
    async editTotal(placed: PlacedOrder, total: Parameters<SimulatableStore["placeOrder"]>[0]["total"]) {
      shop.editOrder(orderOf(placed).id, total);
      return placed;
    },
    async makeUnpayable(placed: PlacedOrder) {
      shop.cancelOrder(orderOf(placed).id);
    },
    async payOutside(placed: PlacedOrder) {
      const order = orderOf(placed);
      shop.payOrderOutside(order.id, balanceOf(order).outstanding);
    },
    probe: {
      // An owner may accept less than the total, and edit the order while we write: Shopify shows what is still outstanding.
      async paidBy(placed: PlacedOrder) {
        const order = orderOf(placed);
        const hasMoney = balanceOf(order).received.minor > 0;
        return (hasMoney && order.metafields.get("$app:tillkit.payment")?.value) || null;
      },
      timesPaid: async (placed: PlacedOrder) =>
        shop.record.effectsOf("order-paid").filter(({ id }) => id === orderOf(placed).id).length,
      ...noticesOf(records),
    },
  };
}

function checkoutsOf({ shop }: LocalShop, { records, clock }: StorePorts) {
  const claims = createGroupClaims(records, "shopify-group");
  const timesPaid = async ({ ref }: Pick<PlacedOrder, "ref">) =>
    shop.record.effectsOf("resolved").filter(({ parentId }) => parentId === ref.orderId).length;
  return {
    async placeOrder({ total, language }: Parameters<SimulatableStore["placeOrder"]>[0]): Promise<PlacedOrder> {
      const session = shop.openCheckout({ total, locale: language, test: true });
      session.answered = true;
      await createPaymentSessions(records).add(SHOP, {
        ...{ id: session.id, gid: session.gid, group: session.group, test: true, language },
        ...{ amount: decimalText(total), currency: total.currency },
        ...{ cancelUrl: `https://${SHOP}/cart`, redirectUrl: "https://pay.example/", nextUrl: null },
        ...{ postedAt: clock.now(), rejectedAt: null, pendingUntil: null },
      });
      return { ref: { storeId: SHOP, orderId: session.group }, attempt: session.gid };
    },
    probe: {
      paidBy: async (placed: PlacedOrder) =>
        (await timesPaid(placed)) > 0 ? ((await claims.find(placed.ref))?.paymentId ?? null) : null,
      timesPaid,
      ...noticesOf(records),
    },
  };
}

function noticesOf(records: Records) {
  const of =
    (kind: string) =>
    async ({ ref }: PlacedOrder): Promise<readonly string[]> => {
      const notices = await createOwnerNotices(records, () => 0).list(SHOP, 100);
      return notices.filter((notice) => notice.kind === kind && notice.orderId === ref.orderId).map(({ text }) => text);
    };
  return { holds: of("hold"), notes: of("note") };
}

/** Other bytes at each call, and the same in every schedule. */
function countingBytes(): (size: number) => Buffer {
  let calls = 0;
  return (size) => {
    calls += 1;
    return Buffer.alloc(size, calls);
  };
}
