import { createNodeTransport, type Transport } from "@tillkit/client";
import type { OrderCoverage, OrderFact } from "../facts/facts.ts";
import { readAmount } from "../facts/read-amount.ts";
import { auditLimits } from "../limits.ts";
import { deepNames } from "./deep-names.ts";
import { coverageOf } from "./order-coverage.ts";
import { ORDER_DEFAULTS } from "./order-defaults.ts";
import { type Keep, readChanges } from "./read-changes.ts";
import { createReadOnlyTransport } from "./read-only.ts";
import type { OrderReader, ReadJob } from "./reader.ts";
import { createShopHttp, type Fields, fieldsOf, listOf, type ShopHttp, textOf, timeOf } from "./shop-http.ts";

export type MedusaOptions = {
  readonly shop: string;
  /** The address of the Medusa server. */
  readonly url: string;
  /** A secret API key of its admin. */
  readonly token: string;
  readonly methods?: readonly string[] | undefined;
  readonly transport?: Transport | undefined;
};

const FIELDS = [
  "id,display_id,status,payment_status,currency_code,total,created_at,updated_at,canceled_at,metadata",
  "payment_collections.id,payment_collections.status,payment_collections.payment_sessions.id",
  "payment_collections.payments.id,payment_collections.payments.provider_id,payment_collections.payments.data",
  "payment_collections.payments.amount,payment_collections.payments.captured_at,payment_collections.payments.canceled_at",
  "payment_collections.payments.captures.amount,payment_collections.payments.refunds.amount",
].join(",");

/** Reads the orders of a Medusa 2 server by its admin API. @throws AuditError */
export function createMedusaReader(options: MedusaOptions): OrderReader {
  const { shop } = options;
  const transport = createReadOnlyTransport(options.transport ?? createNodeTransport());

  async function read(job: ReadJob): Promise<OrderCoverage> {
    const http = createShopHttp(shop, transport, job.clock, job.signal);
    const from = job.from - auditLimits.ordersBeforeMs;
    await readChanges(job, from, (since, keep) => readPages(http, options, job, since, keep));
    return coverageOf(options, job, from);
  }

  return { shop, read };
}

async function readPages(
  http: ShopHttp,
  options: MedusaOptions,
  job: ReadJob,
  since: number,
  keep: Keep,
): Promise<void> {
  const limit = auditLimits.pageRows;
  const basic = Buffer.from(`${options.token}:`).toString("base64");
  for (let offset = 0, count = 1; offset < count; offset += limit) {
    const query = new URLSearchParams({
      fields: FIELDS,
      limit: String(limit),
      offset: String(offset),
      order: "created_at",
      "updated_at[$gte]": new Date(since).toISOString(),
    });
    const { body } = await http(() => ({
      url: `${options.url}/admin/orders?${query}`,
      headers: { authorization: `Basic ${basic}` },
    }));
    const answer = fieldsOf(body);
    await keep(listOf(answer.orders).flatMap((row) => parseOrder(row, options) ?? []));
    count = Number(answer.count) || 0;
    job.onProgress({ source: options.shop, rows: Math.min(offset + limit, count), total: count });
  }
}

function parseOrder(row: Fields, { shop, url }: MedusaOptions): OrderFact | null {
  const id = textOf(row.id);
  const currency = textOf(row.currency_code);
  const total = readAmount(row.total, currency);
  const createdAt = timeOf(row.created_at);
  if (id === "" || total === null || createdAt === null) return null;
  const collections = listOf(row.payment_collections);
  const payments = collections.flatMap((collection) => listOf(collection.payments));
  const sum = (name: string) => {
    const minor = payments
      .flatMap((payment) => listOf(payment[name]))
      .reduce((added, { amount }) => added + (readAmount(amount, currency)?.amount.minor ?? 0), 0);
    return minor === 0 ? null : { minor, currency: total.amount.currency };
  };
  return {
    ...ORDER_DEFAULTS,
    shop,
    id,
    number: textOf(row.display_id) || id,
    createdAt,
    changedAt: timeOf(row.updated_at) ?? createdAt,
    paidAt: timeOf(payments.find(({ captured_at }) => captured_at !== null)?.captured_at),
    state: stateOf(row),
    total: total.amount,
    paid: sum("captures"),
    refunded: sum("refunds"),
    isRounded: total.isRounded,
    method: textOf(payments[0]?.provider_id),
    names: [...new Set(deepNames([payments.map(({ data }) => data), row.metadata]))],
    aliases: collections.flatMap((collection) => [
      textOf(collection.id).toLowerCase(),
      ...listOf(collection.payment_sessions).map((session) => textOf(session.id).toLowerCase()),
    ]),
    url: `${url}/app/orders/${id}`,
  };
}

function stateOf(row: Fields): OrderFact["state"] {
  const status = textOf(row.payment_status);
  if (row.status === "canceled" || status === "canceled") return "cancelled";
  if (status === "captured" || status === "partially_refunded") return "paid";
  if (status === "refunded") return "refunded";
  return status === "partially_captured" ? "partial" : "unpaid";
}
