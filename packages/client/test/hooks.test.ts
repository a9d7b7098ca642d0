import { createTraceHooks, type Hooks } from "@tillkit/client";
import { expect, test } from "vitest";
import {
  REQUEST_ID,
  resetsConnection,
  responds,
  respondsWithError,
  SESSION,
  startFaultServer,
} from "./fault-server.ts";
import { testClient } from "./test-client.ts";

/** `SpanStatusCode.ERROR` of @opentelemetry/api. */
const ERROR_STATUS = 2;

function recordEvents() {
  const events: Record<string, unknown>[] = [];
  const hooks: Hooks = {
    request: (event) => events.push({ hook: "request", ...event }),
    response: (event) => events.push({ hook: "response", ...event }),
    retry: (event) => events.push({ hook: "retry", ...event }),
  };
  return { events, hooks };
}

test("the hooks receive a request and a response for every attempt and a retry for every wait", async () => {
  const service = await startFaultServer(
    respondsWithError(503, "service_unavailable"),
    resetsConnection,
    responds(200, SESSION),
  );
  const { events, hooks } = recordEvents();
  const { client } = testClient(service.baseUrl, { hooks });
  await client.checkoutSessions.read(SESSION.id);

  expect(
    events.map(({ hook, attemptNumber, status, code, waitMs }) => [hook, attemptNumber, status, code, waitMs]),
  ).toEqual([
    ["request", 1, undefined, undefined, undefined],
    ["response", 1, 503, "service_unavailable", undefined],
    ["retry", 1, undefined, "service_unavailable", 125],
    ["request", 2, undefined, undefined, undefined],
    ["response", 2, undefined, "connection_failed", undefined],
    ["retry", 2, undefined, "connection_failed", 250],
    ["request", 3, undefined, undefined, undefined],
    ["response", 3, 200, undefined, undefined],
  ]);
  expect(new Set(events.map(({ call }) => call)).size).toBe(1);
  expect(events.at(-1)).toMatchObject({
    operation: "CheckoutSessionsController_findOne",
    method: "GET",
    path: "/checkout-sessions/{id}",
    requestId: REQUEST_ID,
  });
});

test("no hook event holds an API key, a body or an Idempotency-Key", async () => {
  const service = await startFaultServer(resetsConnection, responds(201, SESSION));
  const { events, hooks } = recordEvents();
  const { client } = testClient(service.baseUrl, { hooks });
  const body = { amount: 25000, customer_email: "awa@example.test", title: "Order 1042" };
  await client.checkoutSessions.create(body, { idempotencyKey: "payment-0001" });
  expect(JSON.stringify(events)).not.toMatch(/svc_sk|awa@|1042|payment-0001|25000/);
});

test("a hook that throws does not break the call", async () => {
  const service = await startFaultServer(resetsConnection, responds(200, SESSION));
  const broken = () => {
    throw new Error("the logger is full");
  };
  const { client } = testClient(service.baseUrl, { hooks: { request: broken, response: broken, retry: broken } });
  expect((await client.checkoutSessions.read(SESSION.id)).status).toBe(200);
});

test("the trace hooks record one client span per attempt and mark failed attempts", async () => {
  const service = await startFaultServer(respondsWithError(503, "service_unavailable"), responds(200, SESSION));
  const spans: { name: string; attributes: Record<string, unknown>; failed: boolean; ended: boolean }[] = [];
  const hooks = createTraceHooks({
    startSpan(name, { attributes }) {
      const span = { name, attributes: { ...attributes } as Record<string, unknown>, failed: false, ended: false };
      spans.push(span);
      return {
        setAttribute: (key, value) => Object.assign(span.attributes, { [key]: value }),
        setStatus: ({ code }) => Object.assign(span, { failed: code === ERROR_STATUS }),
        end: () => Object.assign(span, { ended: true }),
      };
    },
  });
  const { client } = testClient(service.baseUrl, { hooks });
  await client.checkoutSessions.read(SESSION.id);
  expect(spans).toMatchObject([
    {
      failed: true,
      ended: true,
      attributes: { "http.response.status_code": 503, "error.type": "service_unavailable" },
    },
    { failed: false, ended: true, attributes: { "http.response.status_code": 200, "http.request.resend_count": 1 } },
  ]);
});
