// What `npm run bench -- audit` measures, in a process of its own: 100,000 orders and 120,000 movements, out of pages as the two sides
// send them. Prints processor time and peak memory; what is left out is the wait for the network and for the service's budget.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transport, TransportRequest } from "@tillkit/client";
import { systemClock } from "@tillkit/core";
import { createServiceReader } from "../../src/readers/service/read-service.ts";
import { createWooCommerceReader } from "../../src/readers/woocommerce.ts";
import { openReportFiles } from "../../src/report/write-files.ts";
import { runAudit } from "../../src/run-audit.ts";
import { spareMemory } from "../../src/spare-memory.ts";
import { openFactStore } from "../../src/store/fact-store.ts";

const ORDERS = 100_000;
const PAYMENTS = 100_000;
const REFUNDS = 20_000;
const MOST_CPU_SECONDS = 60;
const MOST_MEGABYTES = 300;
const NOW = Date.UTC(2026, 3, 2);
const PERIOD = 60 * 86_400_000;
const PAGE = 100;

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const timeOf = (index: number) =>
  new Date(NOW - 86_400_000 - Math.floor((index / PAYMENTS) * (PERIOD - 3 * 86_400_000))).toISOString();
const amountOf = (index: number) => 1_000 + ((index * 7_919) % 90_000);

function transaction(index: number) {
  const gross = amountOf(index);
  const fee = Math.round(gross * 0.025);
  return {
    transaction_id: idOf(index),
    public_id: `txn_${String(index).padStart(14, "2")}`,
    checkout_session_id: idOf(index + 1_000_000),
    transaction_type: "payment",
    status: "completed",
    gross_amount: gross,
    fee_amount: fee,
    net_amount: gross - fee,
    refunded_amount: index < REFUNDS ? 500 : 0,
    currency_code: "XOF",
    metadata: { order_id: String(index + 1) },
    environment: "live",
    created_at: timeOf(index),
    updated_at: timeOf(index),
  };
}

function refund(index: number) {
  const row = {
    refund_id: `re_${index}`,
    transaction_id: idOf(index),
    amount: 500,
    status: "completed",
    currency_code: "XOF",
  };
  return { ...row, created_at: timeOf(index), updated_at: timeOf(index) };
}

function order(index: number) {
  const at = timeOf(index).slice(0, 19);
  // One order in a thousand was never set to paid.
  const isPaid = index % 1_000 !== 0;
  return {
    id: index + 1,
    parent_id: 0,
    number: String(index + 1),
    order_key: `wc_order_${index}`,
    status: isPaid ? "processing" : "pending",
    currency: "XOF",
    total: `${amountOf(index)}.00`,
    payment_method: "gateway",
    transaction_id: isPaid ? idOf(index) : "",
    refunds: index < REFUNDS ? [{ id: index, total: "-500.00" }] : [],
    meta_data: [{ key: "_session", value: idOf(index + 1_000_000) }],
    date_created_gmt: at,
    date_modified_gmt: at,
    date_paid_gmt: isPaid ? at : null,
  };
}

const encoder = new TextEncoder();

function page(count: number, rowOf: (index: number) => object, request: TransportRequest) {
  const start = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
  const data = Array.from({ length: Math.min(PAGE, count - start) }, (_, index) => rowOf(start + index));
  const next = start + PAGE < count ? String(start + PAGE) : null;
  return { object: "list", data, has_more: next !== null, next_cursor: next, limit: PAGE, total_count: count };
}

const transport: Transport = async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  const headers: Record<string, string> = { "content-type": "application/json" };
  let body: unknown = [];
  if (pathname.endsWith("/transactions")) body = page(PAYMENTS, transaction, request);
  else if (pathname.endsWith("/refunds")) body = page(REFUNDS, refund, request);
  else if (pathname.endsWith("/orders") && searchParams.get("status") === "any") {
    const start = (Number(searchParams.get("page")) - 1) * PAGE;
    body = Array.from({ length: Math.min(PAGE, ORDERS - start) }, (_, index) => order(start + index));
    headers["x-wp-totalpages"] = String(ORDERS / PAGE);
    headers["x-wp-total"] = String(ORDERS);
  }
  return { status: 200, headers, body: encoder.encode(JSON.stringify(body)) };
};

spareMemory();
const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
const startedAt = performance.now();
const cpu = process.cpuUsage();
const store = await openFactStore(`sqlite:${join(folder, "audit.db")}`);
const files = await openReportFiles(join(folder, "report"), "en");
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 50);
const result = await runAudit({
  from: NOW - PERIOD,
  until: NOW,
  now: NOW,
  store,
  clock: systemClock,
  signal: new AbortController().signal,
  movements: [
    createServiceReader({ baseUrl: "http://127.0.0.1:9", secretKey: `svc_sk_live_${"a".repeat(32)}`, transport }),
  ],
  shops: [
    createWooCommerceReader({
      shop: "boutique",
      url: "https://shop.example",
      consumerKey: "ck",
      consumerSecret: "cs",
      transport,
    }),
  ],
  onGroup: files.addGroup,
});
await files.finish(result);
clearInterval(watch);
await store.close();
await rm(folder, { recursive: true });

const { user, system } = process.cpuUsage(cpu);
const seconds = (user + system) / 1e6;
const megabytes = Math.max(peak, process.resourceUsage().maxRSS * 1_024) / 1e6;
const { orders, payments, refunds } = result.sides;
console.log(
  `${orders.count} orders, ${payments.count + refunds.count} movements, ${result.findings.length} findings, adds up: ${result.addsUp}`,
);
console.log(
  `processor time ${seconds.toFixed(1)} s (at most ${MOST_CPU_SECONDS} s), wall time ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
);
console.log(`peak memory ${megabytes.toFixed(0)} MB (at most ${MOST_MEGABYTES} MB)`);
if (seconds > MOST_CPU_SECONDS || megabytes > MOST_MEGABYTES) process.exitCode = 1;
