import { createTraceHooks, type Hooks } from "@tillkit/client";
import { expect, test } from "vitest";
import { answers, REQUEST_ID, refuses, resets, SESSION, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

function writtenDown() {
  const lines: Record<string, unknown>[] = [];
  const hooks: Hooks = {
    request: (event) => lines.push({ hook: "request", ...event }),
    response: (event) => lines.push({ hook: "response", ...event }),
    retry: (event) => lines.push({ hook: "retry", ...event }),
  };
  return { lines, hooks };
}

test("every try shows as a request and a response, every wait as a retry", async () => {
  const service = await startFaultServer(refuses(503, "service_unavailable"), resets, answers(200, SESSION));
  const { lines, hooks } = writtenDown();
  const { client } = testClient(service.baseUrl, { hooks });
  await client.checkoutSessions.read(SESSION.id);

  expect(lines.map(({ hook, tryNumber, status, code, waitMs }) => [hook, tryNumber, status, code, waitMs])).toEqual([
    ["request", 1, undefined, undefined, undefined],
    ["response", 1, 503, "service_unavailable", undefined],
    ["retry", 1, undefined, "service_unavailable", 125],
    ["request", 2, undefined, undefined, undefined],
    ["response", 2, undefined, "connection_failed", undefined],
    ["retry", 2, undefined, "connection_failed", 250],
    ["request", 3, undefined, undefined, undefined],
    ["response", 3, 200, undefined, undefined],
  ]);
  expect(new Set(lines.map(({ call }) => call)).size).toBe(1);
  expect(lines.at(-1)).toMatchObject({
    operation: "CheckoutSessionsController_findOne",
    method: "GET",
    path: "/checkout-sessions/{id}",
    requestId: REQUEST_ID,
  });
});

test("no event holds a key, a body or an id of the shop", async () => {
  const service = await startFaultServer(resets, answers(201, SESSION));
  const { lines, hooks } = writtenDown();
  const { client } = testClient(service.baseUrl, { hooks });
  const body = { amount: 25000, customer_email: "awa@example.test", title: "Order 1042" };
  await client.checkoutSessions.create(body, { idempotencyKey: "payment-0001" });
  expect(JSON.stringify(lines)).not.toMatch(/svc_sk|awa@|1042|payment-0001|25000/);
});

test("a hook that throws does not break the call", async () => {
  const service = await startFaultServer(resets, answers(200, SESSION));
  const broken = () => {
    throw new Error("the logger is full");
  };
  const { client } = testClient(service.baseUrl, { hooks: { request: broken, response: broken, retry: broken } });
  expect((await client.checkoutSessions.read(SESSION.id)).status).toBe(200);
});

test("traces hold one client span a try, failed ones marked", async () => {
  const service = await startFaultServer(refuses(503, "service_unavailable"), answers(200, SESSION));
  const spans: { name: string; attributes: Record<string, unknown>; failed: boolean; ended: boolean }[] = [];
  const hooks = createTraceHooks({
    startSpan(name, { attributes }) {
      const span = { name, attributes: { ...attributes } as Record<string, unknown>, failed: false, ended: false };
      spans.push(span);
      return {
        setAttribute: (key, value) => Object.assign(span.attributes, { [key]: value }),
        setStatus: ({ code }) => Object.assign(span, { failed: code === 2 }),
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
