import { describe, expect, test } from "vitest";
import {
  neverResponds,
  resetsConnection,
  responds,
  respondsWithError,
  SESSION,
  startFaultServer,
  truncatesBody,
} from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const BODY = '{"amount":25000,"currency_code":"XOF","title":"Épicerie №1"}';
const KEY = "payment-0001";

describe("creating a session under an Idempotency-Key", () => {
  const faults = {
    "the service responds with 503 twice": [
      respondsWithError(503, "service_unavailable"),
      respondsWithError(503, "service_unavailable"),
    ],
    "the service responds with 500": [respondsWithError(500, "internal_error")],
    "a gateway responds with 502 in HTML": [responds(502, "<h1>Bad gateway</h1>")],
    "the first attempt is still running": [respondsWithError(409, "idempotency_in_progress")],
    "the connection is reset after the request was sent": [resetsConnection],
    "the response is truncated": [truncatesBody],
    "the JSON ends too early": [responds(201, '{"checkout_session_id":"6f1f')],
  };
  test.each(Object.entries(faults))("one session is created although %s", async (_, script) => {
    const service = await startFaultServer(...script, responds(201, SESSION));
    const { client } = testClient(service.baseUrl);

    const response = await client.checkoutSessions.create(BODY, { idempotencyKey: KEY });

    expect(response.data.url).toBe(SESSION.checkout_url);
    expect(service.received).toHaveLength(script.length + 1);
    for (const request of service.received) {
      expect(request.headers["idempotency-key"]).toBe(KEY);
      expect(request.body).toBe(BODY);
      expect(request.url).toBe("/v1/checkout-sessions");
    }
  });

  test("a request is repeated when its connection was refused", async () => {
    const service = await startFaultServer(responds(201, SESSION));
    let attempts = 0;
    const { client } = testClient(service.baseUrl, {
      transport: async () => {
        attempts += 1;
        if (attempts < 3) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        return { status: 201, headers: {}, body: Buffer.from(JSON.stringify(SESSION)) };
      },
    });
    await client.checkoutSessions.create(BODY, { idempotencyKey: KEY });
    expect(attempts).toBe(3);
  });

  test("the error names the system's code when nothing listens at the port", async () => {
    const { client } = testClient("http://127.0.0.1:1");
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({
      code: "connection_failed",
      message: "The service could not be reached (ECONNREFUSED).",
    });
  });

  test("a body given as an object is sent as the same bytes on every attempt", async () => {
    const service = await startFaultServer(
      resetsConnection,
      respondsWithError(503, "service_unavailable"),
      responds(201, SESSION),
    );
    const { client } = testClient(service.baseUrl);
    await client.checkoutSessions.create({ amount: 25000, currency_code: "XOF" }, { idempotencyKey: KEY });
    expect(new Set(service.received.map((request) => request.body))).toEqual(
      new Set(['{"amount":25000,"currency_code":"XOF"}']),
    );
  });

  test("a body given as text is sent byte for byte on every attempt", async () => {
    const text = '{ "title": "\\u00c9picerie", "amount": 25000.0 }';
    const service = await startFaultServer(resetsConnection, responds(201, SESSION));
    const { client } = testClient(service.baseUrl);
    await client.checkoutSessions.create(text, { idempotencyKey: KEY });
    expect(service.received.map((request) => request.body)).toEqual([text, text]);
  });

  test("the stored response of an Idempotency-Key is marked as replayed", async () => {
    const service = await startFaultServer(responds(201, SESSION, { "idempotency-cache-hit": "true" }));
    const { client } = testClient(service.baseUrl);
    expect((await client.checkoutSessions.create(BODY, { idempotencyKey: KEY })).replayed).toBe(true);
  });
});

describe("waiting between attempts", () => {
  test("the client waits as long as Retry-After says", async () => {
    const service = await startFaultServer(
      respondsWithError(429, "rate_limit_exceeded", { "retry-after": "1" }),
      responds(200, SESSION),
    );
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([1000]);
  });

  test("the client waits as long as retry_after_seconds says when the header is missing", async () => {
    const limited = respondsWithError(429, "rate_limit_exceeded", {}, { retry_after_seconds: 2, limit: 120 });
    const service = await startFaultServer(limited, responds(200, SESSION));
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([2000]);
  });

  test("the client waits until the date of a Retry-After", async () => {
    const inThreeSeconds = new Date(Date.UTC(2026, 0, 5, 9, 0, 3)).toUTCString();
    const limited = respondsWithError(503, "service_unavailable", { "retry-after": inThreeSeconds });
    const service = await startFaultServer(limited, responds(200, SESSION));
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([3000]);
  });

  test.each(["soon", "-1", "0"])("the client uses its own backoff when Retry-After is %j", async (header) => {
    const limited = respondsWithError(503, "service_unavailable", { "retry-after": header });
    const service = await startFaultServer(limited, responds(200, SESSION));
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    // Half of the first backoff of 250 ms, because the test client's jitter is zero.
    expect(clock.waits).toEqual([125]);
  });

  test("the waits grow exponentially and have jitter", async () => {
    const service = await startFaultServer(respondsWithError(503, "service_unavailable"));
    const waitsAt = async (fraction: number) => {
      const { client, clock } = testClient(service.baseUrl, { random: { fraction: () => fraction } });
      await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "service_unavailable" });
      return clock.waits.slice(0, 4);
    };
    expect(await waitsAt(0)).toEqual([125, 250, 500, 1000]);
    expect(await waitsAt(0.5)).toEqual([187.5, 375, 750, 1500]);
  });

  test("a call fails at once, with the wait in its error, when Retry-After is past its deadline", async () => {
    const service = await startFaultServer(respondsWithError(429, "rate_limit_exceeded", { "retry-after": "3600" }));
    const { client, clock } = testClient(service.baseUrl);
    await expect(client.checkoutSessions.create(BODY, { idempotencyKey: KEY })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      status: 429,
      retryable: true,
      retryAfterMs: 3_600_000,
      message: expect.stringContaining("3600 s"),
    });
    expect(clock.waits).toEqual([]);
    expect(service.received).toHaveLength(1);
  });
});

describe("the deadline of a call", () => {
  test("a call without response headers fails with deadline_exceeded", async () => {
    const service = await startFaultServer(neverResponds);
    const { client, clock } = testClient(service.baseUrl);
    const reading = client.checkoutSessions.read(SESSION.id);
    await expect.poll(() => service.received.length).toBe(1);
    clock.expire();
    await expect(reading).rejects.toMatchObject({ code: "deadline_exceeded", retryable: true });
  });

  test("the deadline covers all attempts on the real clock", async () => {
    const service = await startFaultServer(neverResponds);
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: 80 });
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "deadline_exceeded" });
    // An attempt with a deadline of its own would be followed by another one.
    expect(service.received.length).toBeLessThanOrEqual(1);
  });

  test("a call whose body never ends fails with deadline_exceeded", async () => {
    const service = await startFaultServer((response) => {
      response.writeHead(200);
      response.write("{");
    });
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: 80 });
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "deadline_exceeded" });
  });

  test.each([0, -1, Number.NaN])("a call with a deadline of %d is not sent", async (deadlineMs) => {
    const service = await startFaultServer(responds(200, SESSION));
    const { client } = testClient(service.baseUrl);
    const reading = client.checkoutSessions.read(SESSION.id, { deadlineMs });
    await expect(reading).rejects.toMatchObject({ code: "deadline_exceeded" });
    expect(service.received).toEqual([]);
  });

  test("an infinite deadline does not end the call", async () => {
    const service = await startFaultServer(responds(200, SESSION));
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: Number.POSITIVE_INFINITY });
    expect((await client.checkoutSessions.read(SESSION.id)).status).toBe(200);
  });

  test("the caller's signal ends the call", async () => {
    const service = await startFaultServer(neverResponds);
    const { client } = testClient(service.baseUrl);
    const caller = new AbortController();
    const reading = client.checkoutSessions.read(SESSION.id, { signal: caller.signal });
    await expect.poll(() => service.received.length).toBe(1);
    caller.abort();
    await expect(reading).rejects.toMatchObject({ code: "aborted", retryable: false });
  });

  test("a call with an aborted signal is not sent", async () => {
    const service = await startFaultServer(responds(200, SESSION));
    const { client } = testClient(service.baseUrl);
    const reading = client.checkoutSessions.read(SESSION.id, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    expect(service.received).toEqual([]);
  });
});

describe("a write without an Idempotency-Key", () => {
  const faults = {
    "503": respondsWithError(503, "service_unavailable"),
    "429": respondsWithError(429, "rate_limit_exceeded", { "retry-after": "1" }),
    "a reset": resetsConnection,
    "a truncated response": truncatesBody,
  };
  test.each(Object.entries(faults))(
    "a write without an Idempotency-Key is never repeated after %s",
    async (_, fault) => {
      const service = await startFaultServer(fault, responds(201, SESSION));
      const { client } = testClient(service.baseUrl, { idempotencyKeys: "manual" });
      await expect(client.checkoutSessions.create(BODY)).rejects.toMatchObject({ retryable: true });
      const endpoint = { url: "https://shop.example/hook", authorized_events: ["PAYMENT_SUCCEEDED" as const] };
      await client.webhooks.create(endpoint).catch(() => undefined);
      expect(service.received).toHaveLength(2);
    },
  );

  test("a write without an Idempotency-Key opens a new connection", async () => {
    const service = await startFaultServer(responds(201, SESSION));
    const { client } = testClient(service.baseUrl, { idempotencyKeys: "manual" });
    await client.checkoutSessions.create(BODY, { idempotencyKey: KEY });
    await client.checkoutSessions.read(SESSION.id);
    expect(service.connections).toHaveLength(1);
    await client.checkoutSessions.create(BODY);
    expect(service.connections).toHaveLength(2);
  });
});

describe("an error that a repetition cannot change", () => {
  test.each([
    [400, "validation_failed"],
    [401, "unauthorized"],
    [403, "api_access_suspended"],
    [404, "not_found"],
    [409, "idempotency_key_reused"],
    [409, "conflict"],
  ])("a call that fails with %i %s is not repeated", async (status, code) => {
    const service = await startFaultServer(respondsWithError(status, code), responds(201, SESSION));
    const { client } = testClient(service.baseUrl, { idempotencyKeys: "manual" });
    const opening = client.checkoutSessions.create(BODY, { idempotencyKey: KEY });
    await expect(opening).rejects.toMatchObject({ code, status, retryable: false });
    expect(service.received).toHaveLength(1);
  });
});
