import { addDecimals, toDecimals } from "./decimals.ts";
import { errorResponse, jsonBody, NO_ROUTE, type ShopRequest, type ShopResponse } from "./messages.ts";
import { isModifiedAfter, refundable, restOrder, restRefund } from "./rest-shapes.ts";
import { needsPayment, type OrderChange, type Shop, type ShopOrder } from "./shop.ts";

export type RestContext = {
  readonly shop: Shop;
  readonly origin: string;
  /** Waits for the time that a request takes between reading and writing. */
  processingTime(): Promise<void>;
  /** The plugin's check before an order is written: an error response, or null to allow the write. */
  refuseStaleWrite(current: ShopOrder, change: Readonly<Record<string, unknown>>): ShopResponse | null;
};

/** `/wc/v3/orders…`, with the quirks of real shops. */
export async function answerOrders(request: ShopRequest, context: RestContext): Promise<ShopResponse> {
  // The path is wc/v3/orders/{id}/{subresource}.
  const [id, subresource] = request.path.split("/").slice(3);
  if (id === undefined || id === "") return request.method === "GET" ? listOrders(request, context) : NO_ROUTE;
  const order = /^\d+$/.test(id) ? context.shop.order(id) : null;
  return order
    ? await answerOrder(order, subresource, request, context)
    : missingOrderResponse(request.method, subresource);
}

async function answerOrder(
  order: ShopOrder,
  subresource: string | undefined,
  request: ShopRequest,
  context: RestContext,
): Promise<ShopResponse> {
  const isRead = request.method === "GET";
  switch (subresource) {
    case undefined:
      return isRead
        ? orderResponse(order, exactly(context, request.query))
        : await updateOrder(order, request, context);
    case "notes":
      return isRead ? listNotes(order, context) : await addNote(order, request, context);
    case "refunds":
      return isRead ? listRefunds(order, request, context) : await addRefund(order, request, context);
    default:
      return NO_ROUTE;
  }
}

/** `dp` of a request: the number of decimals of its amounts, in place of the shop's. */
function exactly(context: RestContext, query: URLSearchParams): RestContext {
  const decimals = query.get("dp");
  return decimals === null ? context : { ...context, shop: { ...context.shop, decimals: Number(decimals) } };
}

/** Each route has its own code and status for a missing order. */
function missingOrderResponse(method: string, subresource?: string): ShopResponse {
  const isRead = method === "GET";
  if (subresource === "refunds" && isRead) return { status: 200, body: [] };
  if (subresource === "refunds") return errorResponse(500, "woocommerce_rest_invalid_order_id", "Invalid order ID.");
  if (subresource === "notes" && !isRead) {
    return errorResponse(404, "woocommerce_rest_order_invalid_id", "Invalid order ID.");
  }
  return errorResponse(isRead ? 404 : 400, "woocommerce_rest_shop_order_invalid_id", "Invalid ID.");
}

function orderResponse(order: ShopOrder, { shop, origin }: RestContext): ShopResponse {
  return { status: 200, body: restOrder(order, shop, origin) };
}

/** Ignores the filters `meta_key` and `meta_value` and a search for an order key, like a real shop. */
function listOrders({ query }: ShopRequest, { shop, origin }: RestContext): ShopResponse {
  // A list of statuses has the names `status[]` or `status[0]`.
  const statuses = [...query].filter(([name]) => /^status(\[\d*\])?$/.test(name)).map(([, value]) => value);
  const isAnyStatus = statuses.length === 0 || statuses.includes("any");
  const found = shop
    .orders()
    .filter(({ status }) => (isAnyStatus ? status !== "trash" : statuses.includes(status)))
    .filter((order) => isModifiedAfter(order, query))
    .sort((left, right) => (query.get("order") === "asc" ? left.id - right.id : right.id - left.id));
  const [pageSize, page] = [perPage(query), Number(query.get("page") ?? 1)];
  const fields = query.get("_fields")?.split(",");
  const rows = found.slice((page - 1) * pageSize, page * pageSize).map((order) => {
    const row = Object.entries(restOrder(order, shop, origin));
    return Object.fromEntries(fields ? row.filter(([name]) => fields.includes(name)) : row);
  });
  const pages = Math.ceil(found.length / pageSize);
  return { status: 200, body: rows, headers: { "X-WP-Total": `${found.length}`, "X-WP-TotalPages": `${pages}` } };
}

/**
 * Reads, waits and writes without a lock: two concurrent requests both read an unpaid order, and stock is taken twice. `set_paid`
 * applies only to orders that need payment. Other orders are not paid, and the response is 200 all the same.
 */
async function updateOrder(found: ShopOrder, request: ShopRequest, context: RestContext): Promise<ShopResponse> {
  const body = jsonBody(request);
  if (!body) return errorResponse(400, "rest_invalid_json", "Invalid JSON body passed.");
  const { shop } = context;
  const isInTrash = found.status === "trash";
  // The order in the memory of this request. A concurrent request may write another state while this request waits.
  const seen = isInTrash ? found : { ...found, ...changeOf(found, body) };
  await context.processingTime();
  const current = shop.order(found.id);
  if (current === null) return missingOrderResponse("PUT");
  const refused = context.refuseStaleWrite(current, body);
  if (refused) return refused;
  if (isInTrash) return orderResponse(current, context);
  const written = shop.change(found.id, changeOf(current, body));
  if (body.set_paid !== true || !needsPayment(seen)) return orderResponse(written, context);
  const stockReduced = seen.stockReduced && written.stockReduced;
  return orderResponse(shop.complete({ ...seen, stockReduced }, written.transactionId), context);
}

function changeOf(order: ShopOrder, body: Readonly<Record<string, unknown>>): OrderChange {
  const textOr = (name: string, previous: string) => (typeof body[name] === "string" ? body[name] : previous);
  const metaEntries = Array.isArray(body.meta_data) ? body.meta_data.map(({ key, value }) => [key, String(value)]) : [];
  return {
    status: textOr("status", order.status),
    transactionId: textOr("transaction_id", order.transactionId),
    paymentMethod: textOr("payment_method", order.paymentMethod),
    paymentMethodTitle: textOr("payment_method_title", order.paymentMethodTitle),
    meta: { ...order.meta, ...Object.fromEntries(metaEntries) },
  };
}

function listNotes({ id }: ShopOrder, { shop }: RestContext): ShopResponse {
  const notes = shop
    .notes(id)
    .map((note, index) => ({ id: index + 1, author: "WooCommerce", note, customer_note: false }));
  return { status: 200, body: notes.reverse() };
}

async function addNote(
  { id }: ShopOrder,
  request: ShopRequest,
  { shop, processingTime }: RestContext,
): Promise<ShopResponse> {
  const { note } = jsonBody(request) ?? {};
  if (typeof note !== "string") return errorResponse(400, "rest_missing_callback_param", "Missing parameter(s): note");
  await processingTime();
  shop.addNote(id, note);
  return { status: 201, body: { id: shop.notes(id).length, note, customer_note: false } };
}

/** Returns the newest refunds, ten by default. */
function listRefunds({ id }: ShopOrder, { query }: ShopRequest, { shop }: RestContext): ShopResponse {
  const newest = [...shop.refunds(id)].reverse().slice(0, perPage(query));
  return { status: 200, body: newest.map(restRefund) };
}

function perPage(query: URLSearchParams): number {
  return Math.min(Number(query.get("per_page") ?? 10), 100);
}

/** Two identical requests make two refunds. A refund that is too large or goes through the gateway is answered with 500. */
async function addRefund(
  order: ShopOrder,
  request: ShopRequest,
  { shop, processingTime }: RestContext,
): Promise<ShopResponse> {
  const { amount, reason, api_refund: throughGateway, meta_data: meta } = jsonBody(request) ?? {};
  const isPositive = typeof amount === "string" && /^\d+(\.\d+)?$/.test(amount) && !/^[0.]+$/.test(amount);
  if (!isPositive) {
    return errorResponse(400, "woocommerce_rest_invalid_order_refund", "Refund amount must be greater than zero.");
  }
  await processingTime();
  const isTooLarge = addDecimals(refundable(order, shop), `-${amount}`).startsWith("-");
  if (isTooLarge) return cannotRefund("Invalid refund amount");
  if (throughGateway !== false) return cannotRefund("The payment gateway for this order does not exist.");
  const metaEntries = Array.isArray(meta) ? meta.map(({ key, value }) => [key, String(value)]) : [];
  const refund = shop.addRefund(order.id, {
    amount: toDecimals(amount, shop.decimals),
    reason: typeof reason === "string" ? reason : "",
    meta: Object.fromEntries(metaEntries),
  });
  return { status: 201, body: restRefund(refund) };
}

function cannotRefund(message: string): ShopResponse {
  return errorResponse(500, "woocommerce_rest_cannot_create_order_refund", message);
}
