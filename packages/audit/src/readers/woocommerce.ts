import { createHmac, randomBytes } from "node:crypto";
import { createNodeTransport, type Transport } from "@tillkit/client";
import type { OrderCoverage, OrderFact } from "../facts/facts.ts";
import { readAmount } from "../facts/read-amount.ts";
import { auditLimits } from "../limits.ts";
import { COPIED_FIELDS, movementName } from "./identifiers.ts";
import { coverageOf } from "./order-coverage.ts";
import { type Keep, readChanges } from "./read-changes.ts";
import { createReadOnlyTransport } from "./read-only.ts";
import type { OrderReader, ReadJob } from "./reader.ts";
import { createShopHttp, type Fields, fieldsOf, listOf, type ShopHttp, textOf, timeOf } from "./shop-http.ts";

export type WooCommerceOptions = {
  readonly shop: string;
  /** The address of the shop, without a slash at the end. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly methods?: readonly string[] | undefined;
  readonly transport?: Transport | undefined;
};

/** Only what an audit needs: no name, no address, no phone. */
const FIELDS = [
  "id,parent_id,number,order_key,status,currency,total,created_via,payment_method,transaction_id,refunds,meta_data",
  "date_created_gmt,date_modified_gmt,date_paid_gmt",
].join(",");

/** Reads the orders of a WooCommerce shop with a read-only REST key. @throws AuditError */
export function createWooCommerceReader(options: WooCommerceOptions): OrderReader {
  const { shop } = options;
  const transport = createReadOnlyTransport(options.transport ?? createNodeTransport());

  async function read(job: ReadJob): Promise<OrderCoverage> {
    const http = createShopHttp(shop, transport, job.clock, job.signal);
    const from = job.from - auditLimits.ordersBeforeMs;
    await readChanges(job, from, (since, keep) => readPages(http, options, job, since, keep));
    return coverageOf(options, job, from, true);
  }

  return { shop, read };
}

async function readPages(
  http: ShopHttp,
  options: WooCommerceOptions,
  job: ReadJob,
  since: number,
  keep: Keep,
): Promise<void> {
  let rows = 0;
  for (const status of ["any", "trash"]) {
    const mark = `page ${status} ${since}`;
    for (let page = Number((await job.store.mark(mark)) ?? 0) + 1, pages = page; page <= pages; page += 1) {
      const { body, headers } = await http(() => signed(options, { status, ...pageQuery(since, page) }));
      const facts = listOf(body).flatMap((row) => parseOrder(row, options) ?? []);
      await keep(facts, page > 1 && rows === 0);
      await job.store.setMark(mark, String(page));
      pages = Math.max(pages, Number(headers["x-wp-totalpages"]) || 1);
      rows += facts.length;
      const total = status === "any" ? Number(headers["x-wp-total"]) || null : rows;
      job.onProgress({ source: options.shop, rows, total });
    }
    await job.store.setMark(mark, "0");
  }
}

function pageQuery(since: number, page: number): Readonly<Record<string, string>> {
  return {
    modified_after: new Date(since).toISOString().slice(0, "2026-01-31T12:00:00".length),
    dates_are_gmt: "true",
    orderby: "id",
    order: "asc",
    per_page: String(auditLimits.pageRows),
    page: String(page),
    _fields: FIELDS,
  };
}

/** WooCommerce takes Basic over https, and OAuth 1.0a over plain http, where a key would be readable. */
function signed({ url, consumerKey, consumerSecret }: WooCommerceOptions, query: Readonly<Record<string, string>>) {
  const endpoint = `${url}/wp-json/wc/v3/orders`;
  if (endpoint.startsWith("https:")) {
    const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64");
    return { url: `${endpoint}?${new URLSearchParams(query)}`, headers: { authorization: `Basic ${basic}` } };
  }
  const parameters: Record<string, string> = {
    ...query,
    oauth_consumer_key: consumerKey,
    oauth_nonce: randomBytes(16).toString("hex"),
    oauth_signature_method: "HMAC-SHA256",
    oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
    oauth_version: "1.0",
  };
  const sorted = Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const base = ["GET", encode(endpoint), encode(sorted)].join("&");
  const signature = createHmac("sha256", `${consumerSecret}&`).update(base).digest("base64");
  return { url: `${endpoint}?${sorted}&oauth_signature=${encode(signature)}`, headers: {} };
}

/** RFC 3986, as OAuth requires. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function parseOrder(row: Fields, { shop, url }: WooCommerceOptions): OrderFact | null {
  const id = textOf(row.id);
  const total = readAmount(row.total, textOf(row.currency));
  const modifiedAt = timeOf(row.date_modified_gmt);
  const createdAt = timeOf(row.date_created_gmt) ?? modifiedAt;
  if (id === "" || total === null || createdAt === null) return null;
  const meta = listOf(row.meta_data);
  const paidAt = timeOf(row.date_paid_gmt);
  const parent = textOf(row.parent_id);
  return {
    shop,
    id,
    number: textOf(row.number) || id,
    createdAt,
    changedAt: modifiedAt ?? createdAt,
    paidAt,
    state: stateOf(textOf(row.status), paidAt),
    total: total.amount,
    otherTotal: null,
    paid: null,
    refunded: refundedOf(row, total.amount.currency),
    isRounded: total.isRounded,
    isTest: false,
    method: textOf(row.payment_method),
    names: namesOf(row, meta),
    aliases: [textOf(row.order_key).toLowerCase()].filter(Boolean),
    relatedTo: parent === "" || parent === "0" || textOf(row.created_via) === "subscription" ? null : parent,
    knowsDispute: meta.some(({ key, value }) => DISPUTE_FIELDS.test(textOf(key)) && textOf(value) !== ""),
    customer: null,
    url: `${url}/wp-admin/post.php?post=${id}&action=edit`,
  };
}

const DISPUTE_FIELDS = /^_tillkit_lost_payment$|dispute/;
const PAID = new Set(["processing", "completed"]);
const UNPAID = new Set(["pending", "failed", "on-hold", "checkout-draft"]);
const PARTIAL = /partial|deposit/;

/** A status of another plug-in counts as paid when the order has a date of payment. */
function stateOf(status: string, paidAt: number | null): OrderFact["state"] {
  if (PAID.has(status)) return "paid";
  if (UNPAID.has(status)) return "unpaid";
  if (status === "refunded") return "refunded";
  if (status === "cancelled" || status === "trash") return "cancelled";
  if (PARTIAL.test(status)) return "partial";
  return paidAt === null ? "unpaid" : "paid";
}

function namesOf(row: Fields, meta: readonly Fields[]): readonly string[] {
  const transaction = textOf(row.transaction_id).trim().toLowerCase();
  const fromMeta = meta.flatMap(({ key, value }) => {
    const name = COPIED_FIELDS.has(textOf(key)) ? null : movementName(value);
    const own = textOf(key) === "_tillkit_payment_id" ? textOf(value).toLowerCase() : "";
    return [name, own].filter((text) => text !== null && text !== "");
  });
  return [...new Set([transaction, ...(fromMeta as string[])])].filter(Boolean);
}

function refundedOf(row: Fields, currency: string): OrderFact["refunded"] {
  const minor = listOf(row.refunds).reduce((sum, refund) => {
    const part = readAmount(fieldsOf(refund).total, currency);
    return sum + Math.abs(part?.amount.minor ?? 0);
  }, 0);
  return minor === 0 ? null : { minor, currency };
}
