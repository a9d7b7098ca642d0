import { createNodeTransport, type Transport } from "@tillkit/client";
import type { Money } from "@tillkit/core";
import { AuditError } from "../audit-error.ts";
import type { OrderCoverage, OrderFact } from "../facts/facts.ts";
import { readAmount } from "../facts/read-amount.ts";
import { auditLimits } from "../limits.ts";
import { deepNames } from "./deep-names.ts";
import { movementName } from "./identifiers.ts";
import { coverageOf } from "./order-coverage.ts";
import { ORDER_DEFAULTS } from "./order-defaults.ts";
import { type Keep, readChanges } from "./read-changes.ts";
import { createReadOnlyTransport } from "./read-only.ts";
import type { OrderReader, ReadJob } from "./reader.ts";
import { createShopHttp, type Fields, fieldsOf, listOf, textOf, timeOf } from "./shop-http.ts";

export type ShopifyOptions = {
  readonly shop: string;
  /** `https://acme.myshopify.com` */
  readonly url: string;
  /** A token of the Admin API with `read_orders`; orders older than 60 days need `read_all_orders`. */
  readonly token: string;
  readonly methods?: readonly string[] | undefined;
  readonly transport?: Transport | undefined;
};

const VERSION = "2026-07";

const SCOPES = "query AuditScopes { currentAppInstallation { accessScopes { handle } } }";

const MONEY = "{ shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }";

const ORDERS = `query AuditOrders($after: String, $query: String!) {
  orders(first: 40, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes {
      id
      legacyResourceId
      name
      test
      createdAt
      updatedAt
      cancelledAt
      displayFinancialStatus
      checkoutToken
      totalPriceSet ${MONEY}
      totalRefundedSet ${MONEY}
      transactions(first: 20) { id kind status test gateway paymentId receiptJson createdAt amountSet ${MONEY} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Reads the orders of a Shopify shop by GraphQL queries. @throws AuditError */
export function createShopifyReader(options: ShopifyOptions): OrderReader {
  const { shop } = options;
  const transport = createReadOnlyTransport(options.transport ?? createNodeTransport());

  async function read(job: ReadJob): Promise<OrderCoverage> {
    const ask = createQueries(options, transport, job);
    const hasAll = (await scopesOf(ask)).includes("read_all_orders");
    // Shopify leaves older orders out without a word.
    const visible = job.now - (hasAll ? Number.POSITIVE_INFINITY : VISIBLE_MS);
    const from = Math.max(job.from - auditLimits.ordersBeforeMs, visible);
    await readChanges(job, from, (since, keep) => readPages(ask, options, job, since, keep));
    return coverageOf(options, job, from);
  }

  return { shop, read };
}

const VISIBLE_MS = 60 * 86_400_000;

type Ask = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<Fields>;

/** Shopify refuses for a moment with 200 and an error `THROTTLED`. */
function createQueries({ shop, url, token }: ShopifyOptions, transport: Transport, { clock, signal }: ReadJob): Ask {
  const http = createShopHttp(shop, transport, clock, signal);
  return async (query, variables) => {
    for (let attempt = 1; ; attempt += 1) {
      const call = {
        url: `${url}/admin/api/${VERSION}/graphql.json`,
        headers: { "x-shopify-access-token": token },
        graphql: { query, variables },
      };
      const answer = fieldsOf((await http(() => call)).body);
      const errors = listOf(answer.errors).map(({ extensions }) => textOf(fieldsOf(extensions).code));
      if (!("errors" in answer)) return fieldsOf(answer.data);
      if (errors.includes("ACCESS_DENIED"))
        throw new AuditError("shop_refused", `${shop} refuses the token: it needs the scope read_orders.`);
      if (!errors.includes("THROTTLED") || attempt >= auditLimits.shopAttempts)
        throw new AuditError(
          "shop_unreadable",
          `${shop} refused the query (${errors.join(", ") || "without a code"}).`,
        );
      await clock.sleep(2_000 * attempt, signal);
    }
  };
}

async function scopesOf(ask: Ask): Promise<readonly string[]> {
  const { currentAppInstallation } = await ask(SCOPES, {});
  return listOf(fieldsOf(currentAppInstallation).accessScopes).map(({ handle }) => textOf(handle));
}

async function readPages(ask: Ask, options: ShopifyOptions, job: ReadJob, since: number, keep: Keep): Promise<void> {
  const query = `updated_at:>='${new Date(since).toISOString()}' AND status:any`;
  let after: string | null = null;
  let rows = 0;
  do {
    const orders = fieldsOf((await ask(ORDERS, { after, query })).orders);
    const facts = listOf(orders.nodes).flatMap((row) => parseOrder(row, options) ?? []);
    await keep(facts);
    rows += facts.length;
    job.onProgress({ source: options.shop, rows, total: null });
    const page = fieldsOf(orders.pageInfo);
    after = page.hasNextPage === true ? textOf(page.endCursor) : null;
  } while (after !== null);
}

function parseOrder(row: Fields, { shop, url }: ShopifyOptions): OrderFact | null {
  const [total, otherTotal] = amountsOf(row.totalPriceSet);
  const createdAt = timeOf(row.createdAt);
  if (total === null || createdAt === null) return null;
  const id = textOf(row.legacyResourceId) || textOf(row.id);
  const money = listOf(row.transactions).filter(
    ({ kind, status }) => status === "SUCCESS" && (kind === "SALE" || kind === "CAPTURE"),
  );
  const gateway = textOf(
    money.find(({ gateway: name }) => !VOUCHERS.has(textOf(name)))?.gateway ?? listOf(row.transactions)[0]?.gateway,
  );
  const state = stateOf(row);
  return {
    ...ORDER_DEFAULTS,
    shop,
    id,
    number: textOf(row.name).replace(/^#/, "") || id,
    createdAt,
    changedAt: timeOf(row.updatedAt) ?? createdAt,
    paidAt: timeOf(money.at(-1)?.createdAt),
    state,
    total,
    otherTotal,
    paid: state === "unpaid" ? null : paidBy(gateway, money),
    refunded: nonZero(amountsOf(row.totalRefundedSet)[1] ?? amountsOf(row.totalRefundedSet)[0]),
    isTest: row.test === true,
    method: gateway,
    names: [...new Set(listOf(row.transactions).flatMap(namesOf))],
    aliases: [
      textOf(row.id),
      textOf(row.checkoutToken),
      ...listOf(row.transactions).map(({ paymentId }) => textOf(paymentId)),
    ]
      .filter(Boolean)
      .map((text) => text.toLowerCase()),
    url: `${url}/admin/orders/${id}`,
  };
}

const VOUCHERS = new Set(["gift_card", "shopify_store_credit", "store_credit"]);

function namesOf({ paymentId, receiptJson }: Fields): readonly string[] {
  const receipt = typeof receiptJson === "string" ? safeJson(receiptJson) : receiptJson;
  return [movementName(paymentId), ...deepNames(receipt)].filter((name) => name !== null);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the gateway of the order took; vouchers pay the rest. In the shopper's currency, which is the one of the payment. */
function paidBy(gateway: string, money: readonly Fields[]): Money | null {
  const parts = money.filter((part) => textOf(part.gateway) === gateway).map((part) => amountsOf(part.amountSet));
  const amounts = parts.map(([own, other]) => other ?? own).filter((amount) => amount !== null);
  const [first] = amounts;
  if (first === undefined) return null;
  return { ...first, minor: amounts.reduce((sum, { minor }) => sum + minor, 0) };
}

function stateOf(row: Fields): OrderFact["state"] {
  const status = textOf(row.displayFinancialStatus);
  if (row.cancelledAt !== null && row.cancelledAt !== undefined) return "cancelled";
  if (status === "PAID" || status === "PARTIALLY_REFUNDED") return "paid";
  if (status === "REFUNDED") return "refunded";
  return status === "PARTIALLY_PAID" ? "partial" : "unpaid";
}

/** In the shop's currency, and in the shopper's where that is another one. */
function amountsOf(set: unknown): readonly [Money | null, Money | null] {
  const [own, other] = [fieldsOf(fieldsOf(set).shopMoney), fieldsOf(fieldsOf(set).presentmentMoney)];
  const first = readAmount(own.amount, textOf(own.currencyCode))?.amount ?? null;
  const second = readAmount(other.amount, textOf(other.currencyCode))?.amount ?? null;
  return [first, second?.currency === first?.currency ? null : second];
}

function nonZero(amount: Money | null): Money | null {
  return amount === null || amount.minor === 0 ? null : amount;
}
