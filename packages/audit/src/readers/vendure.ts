import { createNodeTransport, type Transport } from "@tillkit/client";
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

export type VendureOptions = {
  readonly shop: string;
  /** The address of the Vendure server. */
  readonly url: string;
  /** An administrator whose role may read orders. */
  readonly user: string;
  readonly password: string;
  readonly methods?: readonly string[] | undefined;
  readonly transport?: Transport | undefined;
};

/** The only mutation that an audit sends. */
export const VENDURE_LOG_IN =
  "mutation AuditLogIn($username: String!, $password: String!) { login(username: $username, password: $password) { __typename } }";

const ORDERS = `query AuditOrders($options: OrderListOptions) {
  globalSettings { serverConfig { moneyStrategyPrecision } }
  orders(options: $options) {
    totalItems
    items {
      id code state createdAt updatedAt orderPlacedAt currencyCode totalWithTax
      payments { id createdAt method amount state transactionId metadata refunds { id total state transactionId } }
    }
  }
}`;

/** Reads the orders of a Vendure 3 server by its admin API. @throws AuditError */
export function createVendureReader(options: VendureOptions): OrderReader {
  const { shop } = options;
  const transport = createReadOnlyTransport(options.transport ?? createNodeTransport(), VENDURE_LOG_IN);

  async function read(job: ReadJob): Promise<OrderCoverage> {
    const ask = await logIn(options, transport, job);
    const from = job.from - auditLimits.ordersBeforeMs;
    await readChanges(job, from, (since, keep) => readPages(ask, options, job, since, keep));
    return coverageOf(options, job, from);
  }

  return { shop, read };
}

type Ask = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<Fields>;

/** Vendure keeps a session by a token in the header `vendure-auth-token`, or by a cookie, as its server is set up. */
async function logIn(
  { shop, url, user, password }: VendureOptions,
  transport: Transport,
  { clock, signal }: ReadJob,
): Promise<Ask> {
  const http = createShopHttp(shop, transport, clock, signal);
  const send = (
    query: string,
    variables: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
  ) => http(() => ({ url: `${url}/admin-api`, headers, graphql: { query, variables } }));
  const answer = await send(VENDURE_LOG_IN, { username: user, password }, {});
  const login = fieldsOf(fieldsOf(fieldsOf(answer.body).data).login);
  if (login.__typename !== "CurrentUser")
    throw new AuditError("shop_refused", `${shop} refuses the administrator: check name and password.`);
  const token = answer.headers["vendure-auth-token"];
  const cookie = (answer.headers["set-cookie"] ?? "")
    .split(/,(?=[^;]+?=)/)
    .map((part) => part.split(";", 1)[0]?.trim())
    .join("; ");
  const headers: Readonly<Record<string, string>> =
    token === undefined ? { cookie } : { authorization: `Bearer ${token}` };
  return async (query, variables) => {
    const { errors, data } = fieldsOf((await send(query, variables, headers)).body);
    if (errors !== undefined)
      throw new AuditError(
        "shop_refused",
        `${shop} refused the query: the administrator's role must be able to read orders.`,
      );
    return fieldsOf(data);
  };
}

async function readPages(ask: Ask, options: VendureOptions, job: ReadJob, since: number, keep: Keep): Promise<void> {
  const take = auditLimits.pageRows;
  for (let skip = 0, total = 1; skip < total; skip += take) {
    const filter = { updatedAt: { after: new Date(since).toISOString() } };
    const answer = await ask(ORDERS, { options: { skip, take, sort: { createdAt: "ASC" }, filter } });
    const orders = fieldsOf(answer.orders);
    const { moneyStrategyPrecision } = fieldsOf(fieldsOf(answer.globalSettings).serverConfig);
    await keep(
      listOf(orders.items).flatMap((row) => parseOrder(row, options, Number(moneyStrategyPrecision ?? 2)) ?? []),
    );
    total = Number(orders.totalItems) || 0;
    job.onProgress({ source: options.shop, rows: Math.min(skip + take, total), total });
  }
}

/** Vendure counts all currencies with the same decimals, which its money strategy sets: in hundredths, unless the shop changed it. */
function readVendureAmount(value: unknown, currency: string, decimals: number) {
  const count = Number(value);
  return Number.isSafeInteger(count) ? readAmount((count / 10 ** decimals).toFixed(decimals), currency) : null;
}

function parseOrder(row: Fields, { shop, url }: VendureOptions, decimals: number): OrderFact | null {
  const id = textOf(row.id);
  const currency = textOf(row.currencyCode);
  const amountOf = (value: unknown) => readVendureAmount(value, currency, decimals);
  const total = amountOf(row.totalWithTax);
  const createdAt = timeOf(row.createdAt);
  if (id === "" || total === null || createdAt === null) return null;
  const payments = listOf(row.payments);
  const settled = payments.filter(({ state }) => state === "Settled");
  const refunds = payments.flatMap((payment) => listOf(payment.refunds)).filter(({ state }) => state !== "Failed");
  const add = (parts: readonly unknown[]) => {
    const minor = parts.reduce((sum: number, part) => sum + (amountOf(part)?.amount.minor ?? 0), 0);
    return minor === 0 ? null : { minor, currency: total.amount.currency };
  };
  return {
    ...ORDER_DEFAULTS,
    shop,
    id,
    number: textOf(row.code) || id,
    createdAt: timeOf(row.orderPlacedAt) ?? createdAt,
    changedAt: timeOf(row.updatedAt) ?? createdAt,
    paidAt: timeOf(settled[0]?.createdAt),
    state: row.state === "Cancelled" ? "cancelled" : settled.length > 0 ? "paid" : "unpaid",
    total: total.amount,
    paid: add(settled.map(({ amount }) => amount)),
    refunded: add(refunds.map(({ total: back }) => back)),
    isRounded: total.isRounded,
    method: textOf((settled[0] ?? payments[0])?.method),
    names: [
      ...new Set(
        payments.flatMap(({ transactionId, metadata }) => [
          movementName(transactionId) ?? textOf(transactionId).toLowerCase(),
          ...deepNames(metadata),
        ]),
      ),
    ].filter(Boolean),
    aliases: [],
    url: `${url}/dashboard/orders/${id}`,
  };
}
