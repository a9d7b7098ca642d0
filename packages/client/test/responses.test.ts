import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { REQUEST_ID, responds, SESSION, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

async function clientReceiving(status: number, body: unknown, headers?: Record<string, string>) {
  const service = await startFaultServer(responds(status, body, headers));
  return testClient(service.baseUrl).client;
}

describe("reading a response", () => {
  test.each([
    ["bare", SESSION],
    ["under data", { data: SESSION }],
    ["as the only item of an array", [SESSION]],
    ["as the only item of an array under data", { data: [SESSION] }],
    ["under data beside a status", { status: "success", data: SESSION }],
  ])("a session is read when the response holds it %s", async (_, body) => {
    const client = await clientReceiving(200, body);
    expect((await client.checkoutSessions.read(SESSION.id)).data).toMatchObject({
      id: SESSION.id,
      status: "open",
      amount: 25000,
      currencyCode: "XOF",
      metadata: { order_id: "1042" },
      expiresAt: Date.parse(SESSION.expires_at),
    });
  });

  test("a list with two sessions is rejected and never read as its first session", async () => {
    const client = await clientReceiving(200, [SESSION, SESSION]);
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "response_unusable" });
  });

  test("a field that the response lacks is absent from the session", async () => {
    const client = await clientReceiving(200, {
      checkout_session_id: SESSION.id,
      status: "completed",
      amount: "25000",
    });
    const { data } = await client.checkoutSessions.read(SESSION.id);
    expect(data.amount).toBeUndefined();
    expect(data.currencyCode).toBeUndefined();
    expect(data.environment).toBeUndefined();
  });

  test("a time without a zone is UTC, also on a machine in another zone", async () => {
    const zone = process.env.TZ;
    process.env.TZ = "Europe/Paris";
    const client = await clientReceiving(200, { ...SESSION, expires_at: "2026-03-02T10:00:00" });
    const { data } = await client.checkoutSessions.read(SESSION.id);
    process.env.TZ = zone ?? "";
    if (zone === undefined) delete process.env.TZ;
    expect(data.expiresAt).toBe(Date.parse("2026-03-02T10:00:00Z"));
  });

  test("a refund whose amount is written as a text has that amount", async () => {
    const client = await clientReceiving(200, { refund_id: "refund-1", amount: "1000", refunded_amount: "1e3" });
    expect((await client.refunds.read("refund-1")).data).toMatchObject({ amount: 1000, refundedAmount: undefined });
  });

  test("an unknown status and the raw response are kept", async () => {
    const client = await clientReceiving(200, { ...SESSION, status: "paused", added_later: 1 });
    const response = await client.checkoutSessions.read(SESSION.id);
    expect(response.data.status).toBe("paused");
    expect(response.raw).toMatchObject({ added_later: 1 });
    expect(response.requestId).toBe(REQUEST_ID);
  });

  test("a character that is split over two chunks of the body is read correctly", async () => {
    const bytes = Buffer.from(JSON.stringify({ ...SESSION, title: "Café 🧺 d’Abidjan" }));
    const service = await startFaultServer(async (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const { client } = testClient(service.baseUrl);
    expect((await client.checkoutSessions.read(SESSION.id)).data.title).toBe("Café 🧺 d’Abidjan");
  });

  test("a response of nine megabytes is rejected with response_too_large", async () => {
    const client = await clientReceiving(200, `{"title":"${"a".repeat(9 * 1024 * 1024)}"}`);
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "response_too_large" });
  });

  test.each([
    ["an HTML page", 200, "<html>"],
    ["bytes that are no text", 200, Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ["a redirect", 302, ""],
  ])("%s is rejected with response_unreadable", async (_, status, body) => {
    const client = await clientReceiving(status, body, { location: "https://elsewhere.example" });
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "response_unreadable" });
  });
});

describe("creating a checkout session", () => {
  test.each([
    ["an unpaid invoice blocks the customer", { payment_required: true, reason: "invoice_payment_required" }],
    ["the URL is missing", { ...SESSION, checkout_url: undefined }],
    ["the id is missing", { ...SESSION, id: undefined, checkout_session_id: undefined }],
    ["the URL is a script", { ...SESSION, checkout_url: "javascript:alert(1)" }],
    ["the response is empty", ""],
  ])("the creation of a session fails with response_unusable when %s", async (_, body) => {
    const client = await clientReceiving(201, body);
    await expect(client.checkoutSessions.create({ amount: 25000 })).rejects.toMatchObject({
      code: "response_unusable",
      status: 201,
      retryable: false,
    });
  });
});

describe("reading a list", () => {
  const row = { transaction_id: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60", status: "completed", gross_amount: 25000 };
  test.each([
    ["the envelope", { object: "list", data: [row], has_more: true, next_cursor: "b2Zm" }, "b2Zm", null],
    ["the last page", { object: "list", data: [row], has_more: false, next_cursor: null }, null, null],
    ["the bare array", [row], null, null],
    ["a page with an offset", { data: [row], total: 3, limit: 1, offset: 1 }, null, 2],
    ["the last page with an offset", { data: [row], total: 2, limit: 1, offset: 1 }, null, null],
  ])("%s of a list is read", async (_, body, nextCursor, nextOffset) => {
    const client = await clientReceiving(200, body);
    const { data } = await client.transactions.list({ status: ["completed", "held"], limit: 1 });
    expect(data.items).toMatchObject([{ id: row.transaction_id, grossAmount: 25000 }]);
    expect(data).toMatchObject({ nextCursor, nextOffset });
  });

  test.each([
    ["ends", { data: [row], has_more: false, total_count: 1 }, false, 1],
    ["is counted by its service under total", { data: [row], total: 1, offset: 0 }, false, 1],
    ["has more items and no cursor", { data: [row], has_more: true }, true, null],
  ])("a list that %s says so", async (_, body, isCut, totalCount) => {
    const client = await clientReceiving(200, body);
    const { data } = await client.refunds.list();
    expect(data).toMatchObject({ received: 1, isCut, totalCount });
  });

  test("an error that comes with status 200 and an empty list is no list", async () => {
    const client = await clientReceiving(200, { error: { code: "internal_error", message: "try later" }, data: [] });
    await expect(client.refunds.list()).rejects.toMatchObject({ code: "response_unusable" });
  });

  test("several values of a filter are joined by commas", async () => {
    const service = await startFaultServer(responds(200, []));
    const { client } = testClient(service.baseUrl);
    await client.transactions.list({ status: ["completed", "held"], limit: 5 });
    expect(service.received[0]?.url).toBe("/transactions?status=completed%2Cheld&limit=5");
  });

  test("a single object is rejected where a list is expected", async () => {
    const client = await clientReceiving(200, row);
    await expect(client.transactions.list()).rejects.toMatchObject({ code: "response_unusable" });
  });
});

describe("reading a webhook endpoint", () => {
  const record = { id: "wh_7K2MPQ9XW4ZTBD", url: "https://shop.example/hook", is_active: true };
  test.each([
    ["from the endpoint itself", { ...record, secret: "whsec_00112233445566778899aabbccddeeff" }],
    ["from beside the endpoint", { data: record, secret: "whsec_00112233445566778899aabbccddeeff" }],
  ])("the secret of a webhook endpoint is read %s", async (_, body) => {
    const client = await clientReceiving(201, body);
    const { data } = await client.webhooks.create({ url: record.url, authorized_events: ["PAYMENT_SUCCEEDED"] });
    expect(data).toMatchObject({ id: record.id, isActive: true, secret: "whsec_00112233445566778899aabbccddeeff" });
  });
});

describe("reading an error response", () => {
  test.each([
    ["the error object", { error: { code: "forbidden", message: "No" }, request_id: REQUEST_ID }, "forbidden", "No"],
    ["a message in the old form", { message: "Too old" }, "forbidden", "Too old"],
    ["a list of messages in the old form", { message: ["amount", "title"] }, "forbidden", "amount; title"],
    ["an unknown code", { error: { code: "novelty", message: "New" } }, "forbidden", "New"],
    ["a response without JSON", "Forbidden by proxy", "forbidden", "The service responded with status 403"],
  ])("%s becomes an error with a code and a message", async (_, body, code, message) => {
    const client = await clientReceiving(403, body);
    const reading = client.checkoutSessions.read(SESSION.id);
    await expect(reading).rejects.toMatchObject({ code, message, status: 403, requestId: REQUEST_ID });
  });

  test("an error response with 20,000 fields is read only in part", async () => {
    const details = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field-${at}`, ["1 ".repeat(20)]]));
    const client = await clientReceiving(400, {
      error: { code: "validation_failed", message: "1 ".repeat(100_000), details },
    });
    const error = await client.checkoutSessions.create({ amount: 1 }).catch((thrown) => thrown);
    expect(Object.keys(error.details.fields)).toHaveLength(50);
    expect(error.message.length).toBeLessThanOrEqual(500);
  });

  test("the messages of a validation error are listed by field path", async () => {
    const details = { currency_code: ["must be one of XOF, USD, EUR"], "line_items.0": "unknown" };
    const client = await clientReceiving(400, {
      error: { code: "validation_failed", message: "Request validation failed", details },
    });
    await expect(client.checkoutSessions.create({ amount: 1 })).rejects.toMatchObject({
      details: { fields: { currency_code: ["must be one of XOF, USD, EUR"], "line_items.0": ["unknown"] } },
    });
  });

  test.each([
    [
      { amount: ["must be a positive whole number"] },
      "Request validation failed (amount: must be a positive whole number)",
    ],
    [{ a: "1", b: "2", c: "3", d: "4" }, "Request validation failed (a: 1; b: 2; c: 3; …)"],
    [{}, "Request validation failed"],
  ])("the message of a validation error names its fields: %j", async (details, message) => {
    const error = { code: "validation_failed", message: "Request validation failed", details };
    const client = await clientReceiving(400, { error });
    await expect(client.checkoutSessions.create({ amount: 1 })).rejects.toMatchObject({ message });
  });

  test("an error keeps the body of its response without personal data, and a log of the error does not hold the body", async () => {
    const conflict = {
      transaction_id: "t1",
      email: "awa@example.test",
      card: 4242424242424242,
      tries: [1, { deep: true }],
    };
    const client = await clientReceiving(409, { error: { code: "conflict", message: "No", details: conflict } });
    const error = await client.checkoutSessions.create({ amount: 1 }).catch((thrown) => thrown);
    expect(error.body).toEqual({
      error: {
        code: "conflict",
        message: "No",
        details: { transaction_id: "t1", email: "[email]", card: "[number]", tries: [1, { deep: true }] },
      },
    });
    expect(`${inspect(error)} ${JSON.stringify(error)}`).not.toContain("deep");
  });
});
