import { request } from "node:http";
import { describe, expect, it } from "vitest";
import {
  api,
  control,
  eventually,
  newEndpoint,
  newSession,
  openReceiver,
  openSandbox,
  order,
  sessionCount,
} from "./open-sandbox.ts";

/** Timers may fire up to a millisecond early. */
const TIMER_TOLERANCE_MS = 1;

describe("settings", () => {
  it("a change of some settings keeps the others, also inside a group", async () => {
    const sandbox = await openSandbox();
    const before = (await control(sandbox, "GET /settings")).json;
    expect(before).toMatchObject({ sessionTtlSeconds: 3600, pendingSeconds: 15, ratePolicy: "B", feeBps: 250 });
    expect(before.delivery).toMatchObject({ timeoutMs: 4000, attempts: 5, baseDelayMs: 5000 });
    const { status, json } = await control(sandbox, "PATCH /settings", { feeBps: 0, delivery: { attempts: 2 } });
    expect([status, json]).toEqual([200, { ...before, feeBps: 0, delivery: { ...before.delivery, attempts: 2 } }]);
  });

  it("unknown settings and invalid values are rejected with one sentence", async () => {
    const sandbox = await openSandbox();
    for (const [patch, sentence] of [
      [{ sessionTtl: 5 }, /There is no setting "sessionTtl": the settings are .*sessionTtlSeconds/],
      [{ delivery: { retries: 5 } }, /There is no setting "delivery.retries"/],
      [{ ratePolicy: "C" }, /The setting "ratePolicy" cannot have this value/],
      [{ delivery: { attempts: 0 } }, /The setting "delivery.attempts" cannot have this value/],
    ] as const) {
      const { status, json } = await control(sandbox, "PATCH /settings", patch);
      expect([status, json.error.code]).toEqual([400, "bad_request"]);
      expect(json.error.message).toMatch(sentence);
    }
  });

  it("changed settings apply to new sessions", async () => {
    const sandbox = await openSandbox({ settings: { sessionTtlSeconds: 60, feeBps: 1000 } });
    const session = await newSession(sandbox);
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(60_000);
    const paid = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    expect(paid.fee_amount).toBe(2500);
  });

  it("the setting latencyMs delays every response", async () => {
    const sandbox = await openSandbox({ settings: { latencyMs: 120 } });
    const startedAt = performance.now();
    await api(sandbox, "GET /transactions");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(120 - TIMER_TOLERANCE_MS);
  });
});

describe("the clock", () => {
  it("the clock moves forward only, by whole milliseconds", async () => {
    const sandbox = await openSandbox({ clock: { now: () => Date.parse("2026-03-01T10:00:00.000Z") } });
    expect((await control(sandbox, "GET /clock")).json).toEqual({ now: "2026-03-01T10:00:00.000Z", offsetMs: 0 });
    const moved = await control(sandbox, "POST /clock", { advanceMs: 90_000 });
    expect(moved.json).toEqual({ now: "2026-03-01T10:01:30.000Z", offsetMs: 90_000 });
    for (const advanceMs of [-1, 1.5, "1000", null, 1e15]) {
      expect((await control(sandbox, "POST /clock", { advanceMs })).status).toBe(400);
    }
    expect((await newSession(sandbox)).created_at).toBe("2026-03-01T10:01:30.000Z");
  });
});

describe("faults", () => {
  it("a fault with `when: before` answers with the error object and does not perform the request", async () => {
    const sandbox = await openSandbox();
    for (const [faultStatus, code] of [
      [503, "service_unavailable"],
      [500, "internal_error"],
      [429, "rate_limit_exceeded"],
    ] as const) {
      const created = await control(sandbox, "POST /faults", {
        method: "POST",
        path: "/v1/checkout-sessions",
        when: "before",
        status: faultStatus,
      });
      expect([created.status, created.json]).toMatchObject([201, { path: "/checkout-sessions", times: 1 }]);
      const { status, json, headers } = await api(sandbox, "POST /v1/checkout-sessions", { body: order });
      expect([status, json.error.code, headers.get("x-request-id")]).toEqual([faultStatus, code, json.request_id]);
      expect(headers.get("retry-after")).toBe(faultStatus === 429 ? "1" : null);
    }
    expect(await sessionCount(sandbox)).toBe(0);
    expect((await control(sandbox, "GET /faults")).json).toEqual([]);
  });

  it("a fault with `when: after` performs the request and alters the response", async () => {
    const sandbox = await openSandbox();
    await control(sandbox, "POST /faults", { method: "POST", path: "/checkout-sessions", when: "after", status: 503 });
    expect((await api(sandbox, "POST /checkout-sessions", { body: order })).status).toBe(503);
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("the fault reset closes the connection, and cutBody cuts the response in the middle", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const route = `GET /checkout-sessions/${session.id}`;
    for (const fault of [{ reset: true }, { cutBody: true }]) {
      await control(sandbox, "POST /faults", { method: "GET", path: "/checkout-sessions/{id}", ...fault });
      await expect(api(sandbox, route)).rejects.toThrow();
      expect((await api(sandbox, route)).status).toBe(200);
    }
  });

  it("the fault delayMs delays as many requests as the field `times` asks for", async () => {
    const sandbox = await openSandbox();
    await control(sandbox, "POST /faults", { method: "GET", path: "/transactions", delayMs: 600, times: 2 });
    const durations: number[] = [];
    for (let count = 0; count < 3; count++) {
      const startedAt = performance.now();
      await api(sandbox, "GET /transactions");
      durations.push(performance.now() - startedAt);
    }
    expect(durations.map((duration) => duration >= 600 - TIMER_TOLERANCE_MS)).toEqual([true, true, false]);
  });

  it("the fault patch merges fields into the response, and null removes a field", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const patch = { status: "completed", amount: 1, currency_code: null, metadata: { order_id: "7" } };
    await control(sandbox, "POST /faults", { method: "GET", path: "/checkout-sessions/{id}", patch });
    const { json } = await api(sandbox, `GET /checkout-sessions/${session.id}`);
    expect(json).toMatchObject({ id: session.id, status: "completed", amount: 1, metadata: { order_id: "7" } });
    expect(json).not.toHaveProperty("currency_code");
  });

  it("a fault for the path of one session does not affect another session", async () => {
    const sandbox = await openSandbox();
    const [first, second] = [await newSession(sandbox), await newSession(sandbox)];
    await control(sandbox, "POST /faults", { method: "GET", path: `/checkout-sessions/${first.id}`, status: 503 });
    await control(sandbox, "POST /faults", { method: "GET", path: "/checkout-sessions/{id}", status: 500 });
    expect((await api(sandbox, `GET /checkout-sessions/${second.id}`)).status).toBe(500);
    expect((await api(sandbox, `GET /checkout-sessions/${first.id}`)).status).toBe(503);
  });

  it("faults are deleted together, and contradictory faults are rejected", async () => {
    const sandbox = await openSandbox();
    await control(sandbox, "POST /faults", { method: "GET", path: "/transactions", status: 503, times: 9 });
    expect((await control(sandbox, "DELETE /faults")).status).toBe(204);
    expect((await api(sandbox, "GET /transactions")).status).toBe(200);
    for (const wrong of [
      {},
      { method: "GET", path: "/transactions" },
      { method: "GET", path: "transactions", status: 503 },
      { method: "GET", path: "/transactions", status: 200 },
      { method: "GET", path: "/transactions", status: 503, reset: true },
      { method: "GET", path: "/transactions", when: "before", cutBody: true },
      { method: "GET", path: "/transactions", status: 503, colour: "red" },
    ]) {
      const { status, json } = await control(sandbox, "POST /faults", wrong);
      expect([status, json.error.message]).toEqual([400, expect.stringMatching(/^The fault is not understood: /)]);
    }
  });
});

describe("the records of the control API", () => {
  it("the control API lists events, deliveries with their attempts, and requests by id", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url);
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await receiver.waitFor(2);
    await eventually(async () => (await sandbox.control.listDeliveries()).every(({ state }) => state === "delivered"));

    const events = (await control(sandbox, `GET /events?checkout_session_id=${session.id}`)).json;
    expect(events).toMatchObject({ object: "list", total_count: 2 });
    expect(events.data[0]).toMatchObject({
      event: "PAYMENT_SUCCEEDED",
      environment: "test",
      data: { status: "completed" },
    });
    const deliveries = (await control(sandbox, `GET /deliveries?event_id=${events.data[0].id}`)).json;
    expect(deliveries.data).toMatchObject([
      { state: "delivered", url: receiver.url, attempts: [{ attempt_number: 1, success: true, response_status: 200 }] },
    ]);
    expect(deliveries.data[0].attempts[0].payload).toBe(
      receiver.received.find(({ headers }) => headers["x-service-event"] === "PAYMENT_SUCCEEDED")?.body,
    );

    const { headers } = await api(sandbox, "GET /transactions/txn_unknown");
    const requests = (await control(sandbox, `GET /requests?request_id=${headers.get("x-request-id")}`)).json;
    expect(requests).toMatchObject([
      { method: "GET", path: "/transactions/txn_unknown", status: 404, error_code: "not_found" },
    ]);
  });

  it("an event is delivered again on request", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await receiver.waitFor(1);
    const [event] = await sandbox.control.listEvents();
    const again = await control(sandbox, `POST /events/${event?.id}/deliver`);
    expect([again.status, again.json.deliveries]).toEqual([200, [expect.any(String)]]);
    const received = await receiver.waitFor(2);
    expect(JSON.parse(received[1]?.body ?? "").id).toBe(JSON.parse(received[0]?.body ?? "").id);
    expect((await control(sandbox, "POST /events/unknown/deliver")).status).toBe(404);
  });

  it("a reset deletes everything except keys, settings and clock", async () => {
    const sandbox = await openSandbox();
    await sandbox.control.changeSettings({ feeBps: 1 });
    await sandbox.control.advanceClock(1000);
    await newEndpoint(sandbox, "http://127.0.0.1:9/hooks");
    await newSession(sandbox);
    await sandbox.control.addFault({ method: "GET", path: "/transactions", status: 503 });
    expect((await control(sandbox, "POST /reset")).status).toBe(204);
    expect(await sessionCount(sandbox)).toBe(0);
    expect((await api(sandbox, "GET /webhooks")).json).toEqual([]);
    expect((await api(sandbox, "GET /transactions")).status).toBe(200);
    expect((await control(sandbox, "GET /settings")).json.feeBps).toBe(1);
    expect((await control(sandbox, "GET /clock")).json.offsetMs).toBe(1000);
  });
});

describe("the control API", () => {
  it("the control API needs no key, and rejects unknown routes and invalid bodies", async () => {
    const sandbox = await openSandbox();
    expect((await control(sandbox, "GET /nothing")).json.error).toMatchObject({ code: "not_found" });
    expect((await control(sandbox, "POST /clock", [1])).status).toBe(400);
    const paying = await control(sandbox, "POST /checkout-sessions/unknown/pay", {
      method: "cash",
      outcome: "completed",
    });
    expect([paying.status, paying.json.error.message]).toEqual([
      400,
      "To pay, send { method, outcome }: method must be card, wave or mtn.",
    ]);
  });

  const foreignPages: Readonly<Record<string, Record<string, string>>> = {
    "of another site": { "Sec-Fetch-Site": "cross-site", Origin: "http://evil.example" },
    "of another port of this machine": { "Sec-Fetch-Site": "same-site", Origin: "http://127.0.0.1:1" },
    "of another port of this machine, which the browser names only by Sec-Fetch-Site": {
      "Sec-Fetch-Site": "same-site",
    },
    "of another site in an old browser": { Origin: "http://evil.example" },
    "of another port of this machine in an old browser": { Origin: "http://localhost:1" },
    "with the origin null, as a sandboxed frame sends it": { Origin: "null" },
  };

  it.each(Object.keys(foreignPages))("the control API refuses the request of a page %s", async (name) => {
    const sandbox = await openSandbox();
    await newSession(sandbox);
    // A form of another origin may send this body and this type without asking first.
    const headers = { ...foreignPages[name], "Content-Type": "text/plain" };
    const answer = await fetch(`${sandbox.controlUrl}/reset`, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(403);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe("forbidden");
    expect(error.message).toContain("from no page of another origin");
    expect((await fetch(`${sandbox.controlUrl}/settings`, { headers: { ...foreignPages[name] } })).status).toBe(403);
    expect(await sessionCount(sandbox)).toBe(1);
  });

  it("the control API answers programs, its own pages and an address that a person opens", async () => {
    const sandbox = await openSandbox();
    const allowed: Record<string, string>[] = [
      {},
      { Origin: sandbox.baseUrl },
      { "Sec-Fetch-Site": "same-origin" },
      { "Sec-Fetch-Site": "none" },
    ];
    for (const headers of allowed)
      expect((await fetch(`${sandbox.controlUrl}/settings`, { headers })).status).toBe(200);
  });

  it("the control API refuses the request of another origin before its body is sent", async () => {
    const sandbox = await openSandbox();
    const headers = { Origin: "http://evil.example", "Content-Length": "1000" };
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${sandbox.controlUrl}/reset`, { method: "POST", headers }, (answer) => {
        resolve(answer.statusCode);
        sent.destroy();
      });
      sent.on("error", reject).flushHeaders();
    });
    expect(status).toBe(403);
  });

  it("a route of the control API is 404 outside /sandbox", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    expect((await api(sandbox, `POST /checkout-sessions/${session.id}/expire`)).status).toBe(404);
  });

  it("the control API starts a challenge of a card payment, but not of a Wave payment", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const { json } = await control(sandbox, `POST /checkout-sessions/${session.id}/pay`, {
      method: "card",
      outcome: "challenge",
    });
    expect(json).toMatchObject({ status: "pending", next_action: { type: "redirect" } });
    const body = new URLSearchParams({ answer: "approve" });
    await fetch(json.next_action.url, { method: "POST", body, redirect: "manual" });
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("completed");
    const wave = await control(sandbox, `POST /checkout-sessions/${session.id}/pay`, {
      method: "wave",
      outcome: "challenge",
    });
    expect(wave.status).toBe(400);
  });
});
