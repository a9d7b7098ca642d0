import { type Answer, type Asked, jsonBody, NO_ROUTE, refusal } from "./answer.ts";
import { addDecimals, toDecimals } from "./decimals.ts";
import { isModifiedAfter, refundable, restOrder, restRefund } from "./rest-shapes.ts";
import { needsPayment, type OrderChange, type Shop, type ShopOrder } from "./shop.ts";

export type RestWorld = {
  readonly shop: Shop;
  readonly origin: string;
  /** The time that a request works between reading and writing. */
  atWork(): Promise<void>;
  /** What a plugin says to a change of an order that is about to be written; null when it has nothing against it. */
  refuse(now: ShopOrder, change: Readonly<Record<string, unknown>>): Answer | null;
};

/** `/wc/v3/orders…`, with the quirks that real shops have. */
export async function answerOrders(asked: Asked, world: RestWorld): Promise<Answer> {
  const [, , , id, part] = asked.path.split("/");
  if (id === undefined || id === "") return asked.method === "GET" ? list(asked, world) : NO_ROUTE;
  const order = /^\d+$/.test(id) ? world.shop.order(id) : null;
  return order ? await answerOrder(order, part, asked, world) : answerGone(asked.method, part);
}

async function answerOrder(
  order: ShopOrder,
  part: string | undefined,
  asked: Asked,
  world: RestWorld,
): Promise<Answer> {
  const reads = asked.method === "GET";
  if (part === undefined) return reads ? told(order, world) : await update(order, asked, world);
  if (part === "notes") return reads ? listNotes(order, world) : await addNote(order, asked, world);
  if (part === "refunds") return reads ? listRefunds(order, asked, world) : await addRefund(order, asked, world);
  return NO_ROUTE;
}

/** Each route has words of its own for an order that is not there. */
function answerGone(method: string, part?: string): Answer {
  const reads = method === "GET";
  if (part === "refunds")
    return reads ? { status: 200, body: [] } : refusal(500, "woocommerce_rest_invalid_order_id", "Invalid order ID.");
  if (part === "notes" && !reads) return refusal(404, "woocommerce_rest_order_invalid_id", "Invalid order ID.");
  return refusal(reads ? 404 : 400, "woocommerce_rest_shop_order_invalid_id", "Invalid ID.");
}

function told(order: ShopOrder, { shop, origin }: RestWorld): Answer {
  return { status: 200, body: restOrder(order, shop, origin) };
}

/** `meta_key`, `meta_value` and a search for an order key find everything: the first two are ignored, the last is not searched. */
function list({ query }: Asked, { shop, origin }: RestWorld): Answer {
  const statuses = [...query].filter(([name]) => /^status(\[\d*\])?$/.test(name)).map(([, value]) => value);
  const any = statuses.length === 0 || statuses.includes("any");
  const found = shop
    .orders()
    .filter(({ status }) => (any ? status !== "trash" : statuses.includes(status)))
    .filter((order) => isModifiedAfter(order, query))
    .sort((left, right) => (query.get("order") === "asc" ? left.id - right.id : right.id - left.id));
  const [rowsAPage, page] = [perPage(query), Number(query.get("page") ?? 1)];
  const fields = query.get("_fields")?.split(",");
  const rows = found.slice((page - 1) * rowsAPage, page * rowsAPage).map((order) => {
    const row = Object.entries(restOrder(order, shop, origin));
    return Object.fromEntries(fields ? row.filter(([name]) => fields.includes(name)) : row);
  });
  const pages = Math.ceil(found.length / rowsAPage);
  return { status: 200, body: rows, headers: { "X-WP-Total": `${found.length}`, "X-WP-TotalPages": `${pages}` } };
}

/**
 * Reads, works, writes: two requests at once both find the order unpaid, and stock is taken twice. `set_paid` counts only for
 * orders that need payment; for all others the answer is 200 and nothing happens.
 */
async function update(found: ShopOrder, asked: Asked, world: RestWorld): Promise<Answer> {
  const body = jsonBody(asked);
  if (!body) return refusal(400, "rest_invalid_json", "Invalid JSON body passed.");
  const { shop } = world;
  const seen = { ...found, ...(found.status === "trash" ? {} : changeOf(found, body)) };
  await world.atWork();
  if (shop.order(found.id) === null) return answerGone("PUT");
  const refused = world.refuse(shop.order(found.id) ?? found, body);
  if (refused) return refused;
  if (found.status === "trash") return told(shop.order(found.id) ?? found, world);
  const written = shop.change(found.id, changeOf(shop.order(found.id) ?? found, body));
  if (body.set_paid !== true || !needsPayment(seen)) return told(written, world);
  return told(
    shop.complete({ ...seen, stockReduced: seen.stockReduced && written.stockReduced }, written.transactionId),
    world,
  );
}

function changeOf(order: ShopOrder, body: Readonly<Record<string, unknown>>): OrderChange {
  const text = (name: string) => (typeof body[name] === "string" ? String(body[name]) : undefined);
  const meta = Array.isArray(body.meta_data) ? body.meta_data.map(({ key, value }) => [key, String(value)]) : [];
  const [status, transactionId, paymentMethod] = [text("status"), text("transaction_id"), text("payment_method")];
  return {
    ...(status === undefined ? {} : { status }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(paymentMethod === undefined ? {} : { paymentMethod }),
    meta: { ...order.meta, ...Object.fromEntries(meta) },
  };
}

function listNotes({ id }: ShopOrder, { shop }: RestWorld): Answer {
  const notes = shop
    .notes(id)
    .map((note, index) => ({ id: index + 1, author: "WooCommerce", note, customer_note: false }));
  return { status: 200, body: notes.reverse() };
}

async function addNote({ id }: ShopOrder, asked: Asked, { shop, atWork }: RestWorld): Promise<Answer> {
  const { note } = jsonBody(asked) ?? {};
  if (typeof note !== "string") return refusal(400, "rest_missing_callback_param", "Missing parameter(s): note");
  await atWork();
  shop.addNote(id, note);
  return { status: 201, body: { id: shop.notes(id).length, note, customer_note: false } };
}

/** The newest ones, ten of them unless more are asked for. */
function listRefunds({ id }: ShopOrder, { query }: Asked, { shop }: RestWorld): Answer {
  const newest = [...shop.refunds(id)].reverse().slice(0, perPage(query));
  return { status: 200, body: newest.map(restRefund) };
}

function perPage(query: URLSearchParams): number {
  return Math.min(Number(query.get("per_page") ?? 10), 100);
}

/** The same refund posted twice is two refunds; every refusal comes as a 500. */
async function addRefund(order: ShopOrder, asked: Asked, { shop, atWork }: RestWorld): Promise<Answer> {
  const { amount, reason, api_refund: throughGateway, meta_data: meta } = jsonBody(asked) ?? {};
  if (typeof amount !== "string" || !/^\d+(\.\d+)?$/.test(amount) || /^[0.]+$/.test(amount)) {
    return refusal(400, "woocommerce_rest_invalid_order_refund", "Refund amount must be greater than zero.");
  }
  await atWork();
  if (addDecimals(refundable(order, shop), `-${amount}`).startsWith("-")) return cannotRefund("Invalid refund amount");
  if (throughGateway !== false) return cannotRefund("The payment gateway for this order does not exist.");
  const pairs = Array.isArray(meta) ? meta.map(({ key, value }) => [key, String(value)]) : [];
  const refund = shop.addRefund(order.id, {
    amount: toDecimals(amount, shop.decimals),
    reason: typeof reason === "string" ? reason : "",
    meta: Object.fromEntries(pairs),
  });
  return { status: 201, body: restRefund(refund) };
}

function cannotRefund(message: string): Answer {
  return refusal(500, "woocommerce_rest_cannot_create_order_refund", message);
}
