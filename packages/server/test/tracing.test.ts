import * as openTelemetry from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { signWebhook } from "@tillkit/client/webhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LINK_KEY, type MerchantFixture, openMerchant, WEBHOOK_SECRET } from "./fixtures/merchant.ts";

const METRICS_TOKEN = "the token of the scraper, thirty-two characters";
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

let merchant: MerchantFixture;
beforeAll(() => {
  openTelemetry.context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  openTelemetry.trace.setGlobalTracerProvider(provider);
});
afterAll(() => {
  openTelemetry.trace.disable();
  openTelemetry.context.disable();
});
beforeEach(async () => {
  exporter.reset();
  merchant = await openMerchant({ options: { openTelemetry, metrics: { token: METRICS_TOKEN } } });
});
afterEach(() => merchant.close());

/** The name and the trace of each span, and the name of its parent. */
function summarize(spans: readonly ReadableSpan[]) {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans.map((span) => ({
    name: span.name,
    trace: span.spanContext().traceId,
    parent: names.get(span.parentSpanContext?.spanId ?? "") ?? null,
  }));
}

const spansNamed = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);

async function deliver(sessionId: string): Promise<void> {
  const data = { checkout_session_id: sessionId, environment: "test" };
  const timestamp = new Date(merchant.clock.now()).toISOString();
  const body = Buffer.from(JSON.stringify({ id: "evt_1", event: "PAYMENT_SUCCEEDED", timestamp, data }));
  const headers = { "X-Service-Signature": signWebhook(body, WEBHOOK_SECRET) };
  const answer = await merchant.get("/hooks/service/boutique-test", { method: "POST", headers, body });
  expect(answer.status).toBe(200);
}

async function payByWebhook() {
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  await deliver(merchant.service.newest().id);
  merchant.checkout.startTimer();
  await expect
    .poll(async () => {
      await merchant.clock.advance(1_000);
      return (await merchant.ledger.find({ id: paymentId }))?.state;
    })
    .toBe("recorded");
  return { paymentId, returnPath };
}

test("a payment is one trace: checkout, session, webhook, reading and store write", async () => {
  await payByWebhook();
  const spans = summarize(exporter.getFinishedSpans());
  const [started] = spans.filter(({ name }) => name === "start checkout");
  const ofPayment = spans.filter(({ trace }) => trace === started?.trace);
  expect(ofPayment.map(({ name, parent }) => [parent, name])).toEqual(
    expect.arrayContaining([
      [null, "start checkout"],
      ["start checkout", "POST /checkout-sessions"],
      ["start checkout", "process webhooks"],
      ["process webhooks", "confirm payment"],
      ["confirm payment", "GET /checkout-sessions/{id}"],
      ["confirm payment", "StoreAdapter/markPaid"],
    ]),
  );
});

test("a shopper's return continues the trace of the payment and is linked with the request", async () => {
  const { returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  expect((await merchant.get(returnPath)).status).toBe(303);
  await expect.poll(() => spansNamed("GET /return/:token")).toHaveLength(1);
  const [request] = spansNamed("GET /return/:token");
  const [confirmed] = spansNamed("confirm payment");
  const [started] = spansNamed("start checkout");
  expect(confirmed?.spanContext().traceId).toBe(started?.spanContext().traceId);
  expect(confirmed?.links.map(({ context }) => context.spanId)).toEqual([request?.spanContext().spanId]);
});

test("the trace of a proxy in front of the server is continued", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  await merchant.get("/pay/wrong", { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
  await expect.poll(() => spansNamed("GET /pay/:token")).toHaveLength(1);
  const [span] = spansNamed("GET /pay/:token");
  expect(span?.spanContext().traceId).toBe(traceId);
  expect(span?.attributes).toEqual({
    "http.request.method": "GET",
    "http.route": "/pay/:token",
    "http.response.status_code": 404,
  });
});

test("the span of a write to a store that does not answer has an error code and no message", async () => {
  await merchant.startPayment();
  merchant.shop.adapter.markPaid = async () => {
    throw Object.assign(new Error("awa@example.test was not told"), { code: "unavailable" });
  };
  merchant.service.newest().status = "completed";
  const { success_url } = merchant.service.newest().body;
  await fetch(String(success_url), { redirect: "manual" });
  await expect.poll(() => spansNamed("StoreAdapter/markPaid")).toHaveLength(1);
  const [span] = spansNamed("StoreAdapter/markPaid");
  expect(span?.status.code).toBe(openTelemetry.SpanStatusCode.ERROR);
  expect(span?.attributes["error.type"]).toBe("unavailable");
  expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain("awa");
});

test("no span of a payment holds a secret, an address of a page or personal data", async () => {
  const { returnPath } = await payByWebhook();
  await merchant.get(returnPath);
  const all = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  const text = JSON.stringify(all);
  const { success_url, customer } = merchant.service.newest().body as { success_url: string; customer?: object };
  const personal = Object.values(customer ?? {}).map(String);
  for (const secret of [
    LINK_KEY,
    WEBHOOK_SECRET,
    "svc_sk_",
    success_url.split("/").at(-1) ?? "",
    "Awa",
    "@",
    ...personal,
  ])
    expect(text).not.toContain(secret);
  const known = /^(http\.|url\.template$|server\.address$|messaging\.|error\.type$|tillkit\.)/;
  for (const { attributes } of all) for (const name of Object.keys(attributes)) expect(name).toMatch(known);
});

test("samples of the metrics name the trace of their request, and metrics and health are not traced", async () => {
  await payByWebhook();
  exporter.reset();
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const answer = await merchant.get("/metrics", { headers });
  const text = await answer.text();
  expect(answer.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(text).toMatch(/tillkit_webhook_ack_seconds_bucket\{.*\} 1 # \{trace_id="[\da-f]{32}",span_id="[\da-f]{16}"\}/);
  expect(text).toMatch(/tillkit_service_call_seconds_bucket\{.*# \{trace_id=/);
  expect(text).toMatch(/tillkit_store_writes_total\{.*# \{trace_id=/);
  expect(text.endsWith("# EOF\n")).toBe(true);
  await merchant.get("/healthz");
  expect(
    exporter
      .getFinishedSpans()
      .map(({ name }) => name)
      .filter((name) => name.startsWith("GET ")),
  ).toEqual([]);
});

test("without OpenTelemetry nothing is stored with a payment and no sample names a trace", async () => {
  await merchant.close();
  merchant = await openMerchant({ options: { metrics: { token: METRICS_TOKEN } } });
  const { paymentId } = await payByWebhook();
  expect(await merchant.ledger.find({ id: paymentId })).not.toHaveProperty("traceparent");
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  expect(await (await merchant.get("/metrics", { headers })).text()).not.toContain("trace_id");
  expect(exporter.getFinishedSpans()).toEqual([]);
});
