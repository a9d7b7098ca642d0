import { type Log, type Payment, StoreError } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { createManualClock } from "@tillkit/testkit";
import { expect, onTestFinished, test } from "vitest";
import { findLostRefunds, type SearchContext } from "../src/order/find-lost-refunds.ts";
import { createRefundSearches } from "../src/records/refund-searches.ts";
import type { WebhookTask } from "../src/records/tasks.ts";
import type { Graphql } from "../src/shopify-api/graphql.ts";

const SHOP = "acme.myshopify.com";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 9);
const SILENT: Log = { info() {}, warn() {}, error() {} };

type RefundedOrder = { readonly number: string; readonly updatedAt: number; readonly refunds: readonly string[] };

/** A search in a shop with these refunded orders, of which Shopify returns two in a page. `unpaid`: orders without a payment of ours. */
async function openSearch(orders: readonly RefundedOrder[], { unpaid = [] as readonly string[] } = {}) {
  const pageSize = 2;
  const ledger = await openLedger("sqlite::memory:");
  onTestFinished(() => ledger.close());
  const clock = createManualClock(NOW);
  const calls: { readonly name: string; readonly since: number | null }[] = [];
  let failingCall = 0;
  const graphql: Graphql = {
    withSendBy: () => graphql,
    async call(_shop, { name, schema }, variables) {
      const { query = "", after, id = "" } = variables as Record<string, string | undefined>;
      const since = /updated_at:>='([^']+)' AND \(financial_status:refunded OR /.exec(query)?.[1];
      calls.push({ name, since: since === undefined ? null : Date.parse(since) });
      if (calls.length === failingCall) throw new StoreError("unavailable", "Shopify throttles this shop.");
      return schema.parse(since === undefined ? refundsOf(id) : page(Date.parse(since), Number(after ?? 0)));
    },
  };
  function page(since: number, start: number) {
    const found = orders.filter(({ updatedAt }) => updatedAt >= since);
    const nodes = found.slice(start, start + pageSize);
    const end = start + pageSize;
    return {
      orders: {
        nodes: nodes.map(({ number, updatedAt }) => ({
          id: `gid://shopify/Order/${number}`,
          updatedAt: new Date(updatedAt).toISOString(),
        })),
        pageInfo: { hasNextPage: end < found.length, endCursor: String(end) },
      },
    };
  }
  function refundsOf(gid: string) {
    const refunds = orders.find(({ number }) => gid.endsWith(`/${number}`))?.refunds ?? [];
    return { order: { refunds: refunds.map((id) => ({ id: `gid://shopify/Refund/${id}` })) } };
  }
  for (const { number } of orders) if (!unpaid.includes(number)) await storePayment(ledger, number);
  const refundSearches = createRefundSearches(ledger.records);
  const context: SearchContext = { ledger, graphql, clock, log: SILENT, refundSearches };
  return {
    clock,
    calls,
    search: () => findLostRefunds(context, SHOP),
    failCall: (count: number) => {
      failingCall = calls.length + count;
    },
    /** The numbers of the queued refunds. */
    async queued() {
      const { rows } = await ledger.listJobs({ kind: "shopify.webhook", storeId: SHOP, limit: 100 });
      return rows.map(({ payload }) => (JSON.parse(payload) as WebhookTask).refundId).toReversed();
    },
  };
}

async function storePayment(ledger: SearchContext["ledger"], orderId: string): Promise<void> {
  const payment = {
    ...NEW_PAYMENT_DEFAULTS,
    id: `payment-${orderId}`,
    ref: { storeId: SHOP, orderId },
    orderNumber: orderId,
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "none",
    createdAt: NOW,
    amountDue: { minor: 5_000, currency: "XOF" },
    wireAmount: 5_000,
    request: "{}",
    reference: `payment-${orderId}.signed`,
    state: "recorded",
  } as const satisfies Partial<Payment>;
  await ledger.commit({ payment: { next: payment as Payment, expect: "new" }, timeline: [] });
}

const order = (number: string, age: number): RefundedOrder => ({
  number,
  updatedAt: NOW - age,
  refunds: [`9${number}`],
});

test("the first search of a shop reads the orders that changed in the last week", async () => {
  const { search, calls, queued } = await openSearch([order("1", 8 * DAY), order("2", 6 * DAY)]);
  await search();
  expect(calls[0]?.since).toBe(NOW - 7 * DAY);
  expect(await queued()).toEqual(["92"]);
});

test("each further search reads only what changed since an hour before the last search, and queues no refund twice", async () => {
  const { search, calls, queued, clock } = await openSearch([order("1", 2 * DAY), order("2", 30 * MINUTE)]);
  await search();
  await clock.advance(15 * MINUTE);
  calls.length = 0;
  await search();
  expect(calls).toEqual([
    { name: "RefundedOrdersFind", since: NOW - HOUR },
    { name: "OrderRefundsRead", since: null },
  ]);
  expect(await queued()).toEqual(["91", "92"]);
  await clock.advance(3 * HOUR);
  await search();
  calls.length = 0;
  await search();
  expect(calls).toEqual([{ name: "RefundedOrdersFind", since: NOW + 15 * MINUTE + 2 * HOUR }]);
});

test("a search that Shopify throttles goes on at the orders that it had reached and misses none", async () => {
  const numbers = ["1", "2", "3", "4", "5"];
  const { search, calls, queued, failCall } = await openSearch(
    numbers.map((number, index) => order(number, (5 - index) * DAY)),
  );
  // Each page is followed by the refunds of its two orders, so the fourth call is the second page.
  failCall(4);
  await expect(search()).rejects.toThrow("throttles");
  expect(await queued()).toEqual(["91", "92"]);
  const before = calls.length;
  await search();
  expect(calls[before]?.since).toBe(NOW - 4 * DAY);
  expect(await queued()).toEqual(["91", "92", "93", "94", "95"]);
});

test("a search after a pause of a year reads the sixty days that Shopify shows", async () => {
  const { search, calls, clock } = await openSearch([]);
  await search();
  await clock.advance(365 * DAY);
  await search();
  expect(calls[1]?.since).toBe(clock.now() - 60 * DAY);
});

test("an order without a payment of ours costs no call of its own", async () => {
  const { search, calls, queued } = await openSearch([order("1", HOUR), order("2", HOUR)], { unpaid: ["1"] });
  await search();
  expect(calls.map(({ name }) => name)).toEqual(["RefundedOrdersFind", "OrderRefundsRead"]);
  expect(await queued()).toEqual(["92"]);
});
