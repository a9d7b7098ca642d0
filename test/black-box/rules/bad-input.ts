import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../answer.ts";
import { fullBodies, oddTexts, oddValues, queryNames } from "../odd-input.ts";
import { endpoints, type Operation, unknownParams } from "../operations.ts";
import { startService } from "../service.ts";
import { listen, order, paidSession } from "../steps.ts";

const operations = endpoints.map(({ operation }) => operation);
const operationsWithBody = operations.filter((operation) => fullBodies[operation] !== undefined);
const getOperations = operations.filter((operation) => operation.startsWith("GET"));
const operationsWithId = operations.filter((operation) => operation.includes("{"));

/** Checks that the status is below 500. `service.call` checks every answer for the error object and for stack traces. */
function expectSane(operation: Operation, answer: Answer, sent: unknown): void {
  const isExpected = answer.status < 500 || (operation === "POST /charge/switch" && answer.status === 503);
  if (!isExpected)
    throw new Error(`${operation} answers ${answer.status} ${answer.raw} to ${JSON.stringify(sent)?.slice(0, 300)}`);
}

describe("Bad input never gives anything but the error object: no 500, no stack trace", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  /** Existing resources, so that a request that passes the checks is executed completely. */
  let existing: Readonly<Record<"session" | "transaction" | "customer" | "webhook" | "log", string>>;
  beforeAll(async () => {
    const { sessionId, transactionId } = await paidSession(service, service.call);
    const webhook = (await listen(service, service.call, ["PAYMENT_FAILED"])).id;
    existing = {
      session: sessionId,
      transaction: transactionId,
      customer: (await service.call("POST /customers", { body: { name: "Awa" } })).text("customer_id"),
      webhook,
      log: (await service.call("POST /webhooks/{id}/test", { params: { id: webhook } })).text("log_id"),
    };
  });
  const paramsOf = (operation: Operation): Record<string, string> => {
    if (operation.includes("/webhooks/")) {
      return { id: existing.webhook, webhook_id: existing.webhook, log_id: existing.log };
    }
    return operation.includes("/customers/") ? { id: existing.customer } : unknownParams(operation);
  };

  it.each(operationsWithBody)("%s answers no 500 when a field is wrong or missing", async (operation) => {
    const existingIds = operation === "POST /refunds" ? { transaction_id: existing.transaction } : {};
    const validBody = { ...fullBodies[operation], ...existingIds };
    const params = paramsOf(operation);
    for (const field of Object.keys(validBody)) {
      for (const value of [undefined, ...oddValues]) {
        const body = { ...validBody, [field]: value };
        expectSane(operation, await service.call(operation, { params, body }), body);
      }
    }
  });

  it.each(operationsWithBody)("%s answers no 500 to a malformed body", async (operation) => {
    const params = paramsOf(operation);
    const otherBodies = [
      ...oddValues.map((value) => JSON.stringify(value)),
      "",
      "{",
      "}",
      "[[[[",
      '{"a":1}{"b":2}',
      '{"amount":1,"amount":2}',
      "\ufeff{}",
      "undefined",
      "Infinity",
      "-",
      `{"__proto__":{"amount":5000},"constructor":{"prototype":{}},"amount":1e999}`,
      `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
      `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
    ];
    for (const raw of otherBodies) expectSane(operation, await service.call(operation, { params, raw }), raw);
    const notText = Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    expectSane(operation, await service.call(operation, { params, raw: notText }), "bytes that are not UTF-8");
  });

  it.each(operationsWithBody)("%s answers no 500 to nested metadata with values of every kind", async (operation) => {
    const params = paramsOf(operation);
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    for (const metadata of [
      deep,
      Object.fromEntries(oddValues.map((value, index) => [`k${index}`, value])),
      { "": "" },
    ]) {
      const body = { ...fullBodies[operation], metadata };
      expectSane(operation, await service.call(operation, { params, body }), "metadata");
    }
  });

  it.each(getOperations)("%s answers no 500 to a wrong query parameter", async (operation) => {
    const params = paramsOf(operation);
    for (const name of queryNames) {
      for (const value of oddTexts) {
        expectSane(operation, await service.call(operation, { params, query: { [name]: value } }), { [name]: value });
      }
    }
  });

  it("every accepted value can be read again", async () => {
    for (const operation of getOperations.filter((candidate) => !candidate.includes("{"))) {
      expect((await service.call(operation, { query: { limit: 100 } })).status, operation).toBe(200);
    }
    const { session, customer, webhook } = existing;
    expect((await service.call("GET /checkout-sessions/{id}", { params: { id: session } })).status).toBe(200);
    expect((await service.call("GET /customers/{id}", { params: { id: customer } })).status).toBe(200);
    expect((await service.call("GET /webhooks/{id}", { params: { id: webhook } })).status).toBe(200);
  });

  it("a query parameter that is repeated, an array or broken gives no 500", async () => {
    for (const operation of getOperations) {
      const path = operation.slice(4).replace(/\{\w+\}/g, "x");
      for (const query of [
        "limit=1&limit=2",
        "limit[]=1",
        "limit[a]=1",
        "status[$ne]=x",
        "%",
        "%ff=%ff",
        "=",
        "&&&",
        "cursor=%00",
      ]) {
        const headers = { "X-API-Key": service.keys().test.secret };
        const response = await fetch(`${service.baseUrl()}${path}?${query}`, { headers });
        const text = await response.text();
        expect(response.status, `${operation} ?${query} ${text}`).toBeLessThan(500);
      }
    }
  });

  it.each(operationsWithId)("%s answers 4xx to every kind of wrong id", async (operation) => {
    for (const id of [...oddTexts, "..", ".", "%2e%2e%2f", "wh_", "pi_", "txn_", "1", "x".repeat(4000)]) {
      if (id === "" || id === "." || id === "..") continue;
      const params = {
        id: withoutLoneSurrogates(id),
        webhook_id: withoutLoneSurrogates(id),
        log_id: withoutLoneSurrogates(id),
      };
      const answer = await service.call(operation, {
        params,
        ...(fullBodies[operation] && { body: fullBodies[operation] }),
      });
      expectSane(operation, answer, id);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it.each(operations)("%s answers no 500 to headers of every kind", async (operation) => {
    const values = [
      "",
      " ",
      "x".repeat(4000),
      "é",
      "null",
      "undefined",
      "svc_sk_test_",
      "acct_",
      "pending,failed",
      "1.2.0, 1.2.0",
      "\t",
    ];
    const names = [
      "X-API-Key",
      "Authorization",
      "x-service-api-key",
      "Idempotency-Key",
      "X-Scenario-Key",
      "Service-Account",
      "Service-Version",
    ];
    for (const name of names) {
      for (const value of values) {
        const call = { params: paramsOf(operation), body: fullBodies[operation], headers: { [name]: value } };
        expectSane(operation, await service.call(operation, call), { [name]: value });
      }
    }
  });

  it("content types and encodings of every kind give no 500", async () => {
    const types = [
      "",
      "text/html",
      "application/xml",
      "multipart/form-data",
      "application/json; charset=utf-7",
      "application/jsonx",
      "x",
    ];
    for (const operation of operationsWithBody) {
      for (const type of types) {
        const call = {
          params: paramsOf(operation),
          body: fullBodies[operation],
          headers: { "Content-Type": type },
        };
        expectSane(operation, await service.call(operation, call), type);
      }
      for (const encoding of ["gzip", "br", "deflate", "rot13"]) {
        const call = {
          params: paramsOf(operation),
          body: fullBodies[operation],
          headers: { "Content-Encoding": encoding },
        };
        expectSane(operation, await service.call(operation, call), encoding);
      }
    }
  });

  it("the service still works after it received bytes that are not HTTP", async () => {
    const { port } = new URL(service.baseUrl());
    const requests = [
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "\u0016\u0003\u0001\u0002",
      `GET /${"a".repeat(70_000)} HTTP/1.1\r\n\r\n`,
      "POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
      "POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "GET //checkout-sessions/../../x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ];
    for (const request of requests)
      expect(await answerTo(Number(port), request)).not.toMatch(/^HTTP\/1\.1 5|node:internal/);
    expect((await service.call("GET /transactions")).status).toBe(200);
  });

  it("the service still works after requests that end in the middle of their body", async () => {
    const { port } = new URL(service.baseUrl());
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.keys().test.secret}\r\n`);
      socket.write("Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{");
      socket.on("error", () => {});
      await new Promise((resolve) => setTimeout(resolve, 2));
      socket.destroy();
    }
    expect((await service.call("POST /checkout-sessions", { body: order })).status).toBe(201);
  });

  it("the hosted page takes any form without a 500", async () => {
    const url = (await service.call("POST /checkout-sessions", { body: order })).text("checkout_url");
    const names = [
      "method",
      "name",
      "email",
      "phone",
      "mobile_phone",
      "card_number",
      "card_expiry",
      "card_cvc",
      "lang",
      "nothing",
    ];
    for (const name of names) {
      for (const value of oddTexts) {
        const response = await fetch(url, {
          method: "POST",
          body: new URLSearchParams({ [name]: withoutLoneSurrogates(value) }),
          redirect: "manual",
        });
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toMatch(/node:internal|<script>alert/);
      }
    }
    for (const body of ["", "%", "a=%ff", "[]", "{}"]) {
      expect((await fetch(url, { method: "POST", body, redirect: "manual" })).status).toBeLessThan(500);
    }
  });

  it("the control API takes any body without a 500", async () => {
    const shop = await service.merchant();
    const { sessionId, transactionId } = await paidSession(service, shop.call);
    const { id } = await listen(service, shop.call, ["PAYMENT_FAILED"]);
    const paths = [
      "/settings",
      "/clock",
      "/faults",
      "/organizations",
      "/operators",
      "/members",
      "/memberships",
      "/invites",
      "/subscriptions",
      "/disputes",
      "/snapshots",
      `/checkout-sessions/${sessionId}/pay`,
      `/organizations/${id}`,
      `/transactions/${transactionId}/complete`,
      `/refunds/${id}/fail`,
      `/disputes/${id}/close`,
      `/card-charges/${id}/confirm`,
    ] as const;
    for (const path of paths) {
      for (const method of ["POST", "PATCH"] as const) {
        for (const value of [
          ...oddValues,
          {
            method: oddValues,
            path: oddValues,
            name: oddValues,
            status: oddValues,
            amount: oddValues,
            ratePolicy: oddValues,
          },
        ]) {
          const answer = await service.tryControl(`${method} ${path}`, value);
          expect(answer.status, `${method} ${path} ${JSON.stringify(value)} ${answer.raw}`).toBeLessThan(500);
        }
      }
    }
  });
});

/** Replaces lone surrogates, which a URL cannot contain. */
function withoutLoneSurrogates(text: unknown): string {
  return Buffer.from(String(text)).toString();
}

/** Returns what arrives until the connection is closed, or within 200 ms. */
function answerTo(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const timer = setTimeout(() => socket.destroy(), 200);
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(request);
  });
}
