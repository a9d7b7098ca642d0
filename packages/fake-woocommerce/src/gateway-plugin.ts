import { createHash, createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import { errorResponse, jsonBody, NO_ROUTE, type ShopRequest, type ShopResponse } from "./messages.ts";
import { recordOwnerDecision } from "./owner-decision.ts";
import type { PluginContext } from "./plugin-context.ts";
import { addNote, readNoteRequest, readRecordRefundRequest, recordRefund } from "./plugin-entries.ts";
import { hold, markPaid, readHoldRequest, readMarkPaidRequest, showDecision } from "./plugin-writes.ts";
import { refuseStaleWrite } from "./refuse-stale-write.ts";
import { exactTotal, type OwnerChangeListener, type ShopOrder } from "./shop.ts";

export type GatewayPlugin = {
  answer(request: ShopRequest): Promise<ShopResponse>;
  /** `process_payment`: returns the pay link, without a request to the checkout server. */
  payLink(orderId: number | string): string;
  /** Refuses a stale write of the checkout server over the REST API. Returns null for every other change. */
  refuseStaleWrite(current: ShopOrder, change: Readonly<Record<string, unknown>>): ShopResponse | null;
  recordOwnerDecision: OwnerChangeListener;
};

/** How far the clocks of the shop and the checkout server may differ. */
const CLOCK_TOLERANCE_SECONDS = 300;
/** How long a pay link is valid. */
const PAY_LINK_SECONDS = 2 * 60 * 60;

/** The gateway plugin, written after PROTOCOL.md of the bridge and of WooCommerce, and independent of the real plugin's code. */
export function createGatewayPlugin(context: PluginContext): GatewayPlugin {
  const locks = new Map<string, Promise<unknown>>();

  async function withOrderLock(order: string, work: () => Promise<ShopResponse>): Promise<ShopResponse> {
    const previous = locks.get(order) ?? Promise.resolve();
    const current = previous.then(work, work);
    locks.set(
      order,
      current.catch(() => undefined),
    );
    return await current;
  }

  /** Reads the request of a call that writes an order, and writes it under the order's lock. */
  async function underLock<Request extends { readonly order: string }>(
    request: Request | null,
    write: (request: Request, context: PluginContext) => Promise<ShopResponse>,
  ): Promise<ShopResponse> {
    return request ? await withOrderLock(request.order, () => write(request, context)) : BAD_REQUEST;
  }

  async function answerCall(purpose: string, body: Readonly<Record<string, unknown>>): Promise<ShopResponse> {
    switch (purpose) {
      case "ping":
        return { status: 200, body: ping(context) };
      case "decision":
        return showDecision(body, context);
      case "orders":
        return await answerOrderCall(body, context);
      case "hold":
        return await underLock(readHoldRequest(body), hold);
      case "note":
        return await underLock(readNoteRequest(body), addNote);
      case "record-refund":
        return await underLock(readRecordRefundRequest(body), recordRefund);
      default:
        return await underLock(readMarkPaidRequest(body), markPaid);
    }
  }

  return {
    async answer(request) {
      const purpose = /^tillkit\/v1\/(mark-paid|hold|note|record-refund|decision|orders|ping)$/.exec(request.path)?.[1];
      if (purpose === undefined || request.method !== "POST") return NO_ROUTE;
      const refused = verifyCall(request, purpose, context);
      if (refused) return refused;
      const body = jsonBody(request);
      return body ? await answerCall(purpose, body) : BAD_REQUEST;
    },
    payLink: (orderId) => payLink(orderId, context),
    refuseStaleWrite,
    recordOwnerDecision: (before, after) => recordOwnerDecision(before, after, context.clock.now()),
  };
}

const BAD_REQUEST = errorResponse(400, "tillkit_bad_request", "The body does not follow the protocol.");

/** The call `orders` of PROTOCOL.md: a call of the REST API, made inside the shop. */
async function answerOrderCall(
  { method, path, query, fields }: Readonly<Record<string, unknown>>,
  { callOrders }: PluginContext,
): Promise<ShopResponse> {
  const isAllowed = /^orders(\/[1-9]\d*(\/(notes|refunds))?)?$/.test(String(path));
  if (!isAllowed || !["GET", "PUT", "POST"].includes(String(method))) return BAD_REQUEST;
  const { status, body, headers } = await callOrders({
    method: String(method),
    path: `wc/v3/${path}`,
    query: toQuery({ ...(query as object) }),
    headers: {},
    bytes: Buffer.from(JSON.stringify(fields ?? {})),
  });
  const pages = Number(headers?.["X-WP-TotalPages"] ?? 1);
  return { status: 200, body: { status, pages, body } };
}

function toQuery(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item));
    else query.set(name, String(value));
  }
  return query;
}

function verifyCall(
  { headers, bytes }: ShopRequest,
  purpose: string,
  { settings, clock }: PluginContext,
): ShopResponse | null {
  const header = (name: string) => String(headers[name] ?? "");
  const [store, time] = [header("x-tillkit-store"), header("x-tillkit-time")];
  const digest = createHash("sha256").update(bytes).digest("hex");
  const canonical = `tillkit v1 call\n${purpose}\n${store}\n${time}\n${digest}`;
  // During a rotation, the previous secret stays valid.
  const secrets = [settings.linkSecret, settings.previousLinkSecret ?? ""].filter((secret) => secret !== "");
  const isSigned = secrets.some((secret) => constantTimeEqual(hmac(canonical, secret), header("x-tillkit-signature")));
  if (!isSigned || store !== settings.storeId || !/^\d+$/.test(time)) {
    return errorResponse(401, "tillkit_signature_invalid", "The link secret differs.");
  }
  const now = Math.floor(clock.now() / 1_000);
  if (Math.abs(now - Number(time)) <= CLOCK_TOLERANCE_SECONDS) return null;
  return errorResponse(401, "tillkit_clock_differs", "The clocks of the shop and the checkout server differ.", { now });
}

function ping({ shop, settings, clock }: PluginContext): Record<string, unknown> {
  return {
    protocol: 1,
    plugin: "0.1.0",
    wordpress: "6.8",
    woocommerce: "10.0.2",
    php: "8.3",
    time: Math.floor(clock.now() / 1_000),
    currency: shop.currency,
    decimals: shop.decimals,
    enabled: true,
    checkout_server: settings.checkoutServerUrl,
  };
}

function payLink(orderId: number | string, { shop, settings, clock }: PluginContext): string {
  const order = shop.order(orderId);
  if (!order) throw new Error(`This shop has no order ${orderId}.`);
  // The signature covers the values in this order.
  const fields = {
    store: settings.storeId,
    order: String(order.id),
    key: order.key,
    amount: exactTotal(order, shop),
    currency: order.currency,
    exp: String(Math.floor(clock.now() / 1_000) + PAY_LINK_SECONDS),
  };
  const signature = hmac(["tillkit v1 pay", ...Object.values(fields)].join("\n"), settings.linkSecret);
  const query = new URLSearchParams({ ...fields, sig: signature });
  return `${settings.checkoutServerUrl}/bridge/v1/pay?${query}`;
}

function hmac(text: string, secret: string): string {
  return `v1.${createHmac("sha256", secret).update(text).digest("hex")}`;
}
