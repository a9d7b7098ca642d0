import { describe, expect, test } from "vitest";
import { answers, cutsBody, refuses, resets, SESSION, startFaultServer, staysSilent } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const BODY = '{"amount":25000,"currency_code":"XOF","title":"Épicerie №1"}';
const KEY = "payment-0001";

describe("opening a session under an Idempotency-Key", () => {
  const faults = {
    "the service answers 503 twice": [refuses(503, "service_unavailable"), refuses(503, "service_unavailable")],
    "the service answers 500": [refuses(500, "internal_error")],
    "a gateway answers 502 in HTML": [answers(502, "<h1>Bad gateway</h1>")],
    "the first try is still running": [refuses(409, "idempotency_in_progress")],
    "the connection is reset after the request was sent": [resets],
    "the answer is cut in the middle": [cutsBody],
    "the JSON ends too early": [answers(201, '{"checkout_session_id":"6f1f')],
  };
  test.each(Object.entries(faults))("one session is opened although %s", async (_, script) => {
    const service = await startFaultServer(...script, answers(201, SESSION));
    const { client } = testClient(service.baseUrl);

    const reply = await client.checkoutSessions.create(BODY, { idempotencyKey: KEY });

    expect(reply.data.url).toBe(SESSION.checkout_url);
    expect(service.seen).toHaveLength(script.length + 1);
    for (const request of service.seen) {
      expect(request.headers["idempotency-key"]).toBe(KEY);
      expect(request.body).toBe(BODY);
      expect(request.url).toBe("/v1/checkout-sessions");
    }
  });

  test("a connection that is refused before the request was sent is tried again", async () => {
    const service = await startFaultServer(answers(201, SESSION));
    let tries = 0;
    const { client } = testClient(service.baseUrl, {
      transport: async () => {
        tries += 1;
        if (tries < 3) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        return { status: 201, headers: {}, body: Buffer.from(JSON.stringify(SESSION)) };
      },
    });
    await client.checkoutSessions.create(BODY, { idempotencyKey: KEY });
    expect(tries).toBe(3);
  });

  test("a service that is not there is named by the system's word for it", async () => {
    const { client } = testClient("http://127.0.0.1:1");
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({
      code: "connection_failed",
      message: "The service could not be reached (ECONNREFUSED).",
    });
  });

  test("a body given as an object is the same bytes on every try", async () => {
    const service = await startFaultServer(resets, refuses(503, "service_unavailable"), answers(201, SESSION));
    const { client } = testClient(service.baseUrl);
    await client.checkoutSessions.create({ amount: 25000, currency_code: "XOF" }, { idempotencyKey: KEY });
    expect(new Set(service.seen.map((request) => request.body))).toEqual(
      new Set(['{"amount":25000,"currency_code":"XOF"}']),
    );
  });

  test("a body given as text is sent byte for byte on every try", async () => {
    const text = '{ "title": "\\u00c9picerie", "amount": 25000.0 }';
    const service = await startFaultServer(resets, answers(201, SESSION));
    const { client } = testClient(service.baseUrl);
    await client.checkoutSessions.create(text, { idempotencyKey: KEY });
    expect(service.seen.map((request) => request.body)).toEqual([text, text]);
  });

  test("a stored answer says that it is a replay", async () => {
    const service = await startFaultServer(answers(201, SESSION, { "idempotency-cache-hit": "true" }));
    const { client } = testClient(service.baseUrl);
    expect((await client.checkoutSessions.create(BODY, { idempotencyKey: KEY })).replayed).toBe(true);
  });
});

describe("waiting between tries", () => {
  test("Retry-After is honoured", async () => {
    const service = await startFaultServer(
      refuses(429, "rate_limit_exceeded", { "retry-after": "1" }),
      answers(200, SESSION),
    );
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([1000]);
  });

  test("the body's retry_after_seconds counts where the header is missing", async () => {
    const limited = refuses(429, "rate_limit_exceeded", {}, { retry_after_seconds: 2, limit: 120 });
    const service = await startFaultServer(limited, answers(200, SESSION));
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([2000]);
  });

  test("Retry-After as a date is honoured by the client's clock", async () => {
    const inThreeSeconds = new Date(Date.UTC(2026, 0, 5, 9, 0, 3)).toUTCString();
    const limited = refuses(503, "service_unavailable", { "retry-after": inThreeSeconds });
    const service = await startFaultServer(limited, answers(200, SESSION));
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([3000]);
  });

  test.each(["soon", "-1", "0"])("a Retry-After of %j leaves the client to its own waits", async (header) => {
    const limited = refuses(503, "service_unavailable", { "retry-after": header });
    const service = await startFaultServer(limited, answers(200, SESSION));
    const { client, clock } = testClient(service.baseUrl);
    await client.checkoutSessions.read(SESSION.id);
    expect(clock.waits).toEqual([125]);
  });

  test("waits grow and are spread by chance", async () => {
    const service = await startFaultServer(refuses(503, "service_unavailable"));
    const waitsAt = async (fraction: number) => {
      const { client, clock } = testClient(service.baseUrl, { random: { fraction: () => fraction } });
      await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "service_unavailable" });
      return clock.waits.slice(0, 4);
    };
    expect(await waitsAt(0)).toEqual([125, 250, 500, 1000]);
    expect(await waitsAt(0.5)).toEqual([187.5, 375, 750, 1500]);
  });

  test("a wait beyond the deadline is not begun: the caller learns at once how long it would be", async () => {
    const service = await startFaultServer(refuses(429, "rate_limit_exceeded", { "retry-after": "3600" }));
    const { client, clock } = testClient(service.baseUrl);
    await expect(client.checkoutSessions.create(BODY, { idempotencyKey: KEY })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      status: 429,
      retryable: true,
      retryAfterMs: 3_600_000,
      message: expect.stringContaining("3600 s"),
    });
    expect(clock.waits).toEqual([]);
    expect(service.seen).toHaveLength(1);
  });
});

describe("the deadline of a call", () => {
  test("headers that never come end with deadline_exceeded", async () => {
    const service = await startFaultServer(staysSilent);
    const { client, clock } = testClient(service.baseUrl);
    const reading = client.checkoutSessions.read(SESSION.id);
    await expect.poll(() => service.seen.length).toBe(1);
    clock.expire();
    await expect(reading).rejects.toMatchObject({ code: "deadline_exceeded", retryable: true });
  });

  test("holds on the real clock, all tries together", async () => {
    const service = await startFaultServer(staysSilent);
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: 80 });
    const began = Date.now();
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "deadline_exceeded" });
    expect(Date.now() - began).toBeLessThan(1000);
  });

  test("a body that trickles without end ends with it too", async () => {
    const service = await startFaultServer((response) => {
      response.writeHead(200);
      response.write("{");
    });
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: 80 });
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "deadline_exceeded" });
  });

  test.each([0, -1, Number.NaN])("a deadline of %d sends nothing", async (deadlineMs) => {
    const service = await startFaultServer(answers(200, SESSION));
    const { client } = testClient(service.baseUrl);
    const reading = client.checkoutSessions.read(SESSION.id, { deadlineMs });
    await expect(reading).rejects.toMatchObject({ code: "deadline_exceeded" });
    expect(service.seen).toEqual([]);
  });

  test("a deadline beyond what a timer can hold is a long one", async () => {
    const service = await startFaultServer(answers(200, SESSION));
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: Number.POSITIVE_INFINITY });
    expect((await client.checkoutSessions.read(SESSION.id)).status).toBe(200);
  });

  test("the caller's signal ends the call", async () => {
    const service = await startFaultServer(staysSilent);
    const { client } = testClient(service.baseUrl);
    const caller = new AbortController();
    const reading = client.checkoutSessions.read(SESSION.id, { signal: caller.signal });
    await expect.poll(() => service.seen.length).toBe(1);
    caller.abort();
    await expect(reading).rejects.toMatchObject({ code: "aborted", retryable: false });
  });

  test("a signal that was already aborted sends nothing", async () => {
    const service = await startFaultServer(answers(200, SESSION));
    const { client } = testClient(service.baseUrl);
    const reading = client.checkoutSessions.read(SESSION.id, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    expect(service.seen).toEqual([]);
  });
});

describe("a write without an Idempotency-Key", () => {
  const faults = {
    "503": refuses(503, "service_unavailable"),
    "429": refuses(429, "rate_limit_exceeded", { "retry-after": "1" }),
    "a reset": resets,
    "a cut answer": cutsBody,
  };
  test.each(Object.entries(faults))("is never repeated after %s", async (_, fault) => {
    const service = await startFaultServer(fault, answers(201, SESSION));
    const { client } = testClient(service.baseUrl);
    await expect(client.checkoutSessions.create(BODY)).rejects.toMatchObject({ retryable: true });
    const endpoint = { url: "https://shop.example/hook", authorized_events: ["PAYMENT_SUCCEEDED" as const] };
    await client.webhooks.create(endpoint).catch(() => undefined);
    expect(service.seen).toHaveLength(2);
  });

  test("does not travel on a connection that an earlier call left open", async () => {
    const service = await startFaultServer(answers(201, SESSION));
    const { client } = testClient(service.baseUrl);
    await client.checkoutSessions.create(BODY, { idempotencyKey: KEY });
    await client.checkoutSessions.read(SESSION.id);
    expect(service.connections).toHaveLength(1);
    await client.checkoutSessions.create(BODY);
    expect(service.connections).toHaveLength(2);
  });
});

describe("a refusal that a repetition cannot change", () => {
  test.each([
    [400, "validation_failed"],
    [401, "unauthorized"],
    [403, "api_access_suspended"],
    [404, "not_found"],
    [409, "idempotency_key_reused"],
    [409, "conflict"],
  ])("%i %s is not tried again", async (status, code) => {
    const service = await startFaultServer(refuses(status, code), answers(201, SESSION));
    const { client } = testClient(service.baseUrl);
    const opening = client.checkoutSessions.create(BODY, { idempotencyKey: KEY });
    await expect(opening).rejects.toMatchObject({ code, status, retryable: false });
    expect(service.seen).toHaveLength(1);
  });
});
