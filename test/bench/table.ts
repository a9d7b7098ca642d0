type Bench = { readonly measures: string; readonly program: string };

/** The benchmarks of `npm run bench -- NAME`. `program` is a path from the root of the repository. */
export const benches: Readonly<Record<string, Bench>> = {
  start: {
    measures: "how long `npm start` and the sandbox take until they are ready",
    program: "test/bench/start-times.ts",
  },
  audit: {
    measures:
      "an audit of 100,000 orders and 120,000 movements: processor time and memory, without the wait for the API",
    program: "packages/audit/test/bench/audit-size.ts",
  },
  all: {
    measures: "the client, signatures and receiver beside other libraries; writes docs/measurements.md",
    program: "test/bench/peers/bench-all.ts",
  },
  sandbox: {
    measures: "what a checkout session costs the sandbox; `--long`: its memory",
    program: "test/bench/sandbox-load.ts",
  },
  page: {
    measures: "how soon the hosted page can be read on a weak network, and what each page weighs",
    program: "test/bench/hosted-page.ts",
  },
  ways: {
    measures:
      "the files and functions that a webhook to a paid order runs, and an operator's refund; `--list` names them",
    program: "packages/server/test/bench/ways.ts",
  },
  webhooks: { measures: "how soon webhooks are answered while the shop hangs", program: "test/bench/webhooks.ts" },
  bodies: {
    measures: "the webhook handler's memory and answers beside 3,000 connections that stall",
    program: "packages/runtime/test/bench/stalled-webhooks.ts",
  },
  "time-to-paid": {
    measures: "how soon the shopper's page says that the payment has arrived: by webhook, by the return, by the timer",
    program: "test/bench/time-to-paid.ts",
  },
  ledger: {
    measures: "a confirm and a claim in a ledger of a million finished payments",
    program: "packages/ledger/test/bench/ledger-at-a-million.ts",
  },
  operators: {
    measures: "each of the operators' pages in a ledger of a million payments",
    program: "packages/ledger/test/bench/operators-pages.ts",
  },
  growth: {
    measures: "the rows, bytes and calls of a paid and of an abandoned checkout on PostgreSQL",
    program: "packages/ledger/test/bench/growth.ts",
  },
  archive: {
    measures: "a year of 50 million webhooks and timeline entries on PostgreSQL; `1000000` for minutes",
    program: "packages/ledger/test/bench/fifty-million-rows.ts",
  },
  stores: {
    measures: "keys and jobs in a ledger of 100,000 stores",
    program: "packages/ledger/test/bench/many-stores.ts",
  },
  shops: {
    measures:
      "a server of up to 20,000 WooCommerce shops that connected themselves: start, memory, idle processor time",
    program: "packages/woocommerce/test/bench/connected-shops.ts",
  },
  neighbours: {
    measures: "how soon orders of 900 connected shops are paid while 100 others are down, slow, refusing or flooding",
    program: "packages/woocommerce/test/bench/noisy-neighbours.ts",
  },
  woocommerce: {
    measures: "200 WooCommerce orders that are paid at once",
    program: "packages/woocommerce/test/bench/two-hundred-orders.ts",
  },
  shopify: {
    measures: "200 payment posts of Shopify a second",
    program: "packages/shopify/test/bench/payment-posts.ts",
  },
  "shopify-outage": {
    measures: "10,000 payments that arrive while Shopify does not answer",
    program: "packages/shopify/test/bench/outage-drain.ts",
  },
  patroni: {
    measures: "how long writes stop while Patroni replaces the ledger's PostgreSQL; needs patroni and etcd-server",
    program: "test/prove/failover/patroni/patroni-exam.ts",
  },
};
