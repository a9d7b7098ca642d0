import { describe, expect, test } from "vitest";
import { answers, REQUEST_ID, SESSION, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

async function readingOf(status: number, body: unknown, headers?: Record<string, string>) {
  const service = await startFaultServer(answers(status, body, headers));
  return testClient(service.baseUrl).client;
}

describe("reading an answer", () => {
  test.each([
    ["bare", SESSION],
    ["under data", { data: SESSION }],
    ["as an array with one row", [SESSION]],
    ["as one row under data", { data: [SESSION] }],
    ["under data beside a word of success", { status: "success", data: SESSION }],
  ])("a session is read when it comes %s", async (_, body) => {
    const client = await readingOf(200, body);
    expect((await client.checkoutSessions.read(SESSION.id)).data).toMatchObject({
      id: SESSION.id,
      status: "open",
      amount: 25000,
      currencyCode: "XOF",
      metadata: { order_id: "1042" },
      expiresAt: Date.parse(SESSION.expires_at),
    });
  });

  test("a list with two rows is never cut down to its first one", async () => {
    const client = await readingOf(200, [SESSION, SESSION]);
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "response_unusable" });
  });

  test("what a narrow answer does not say is absent, not guessed", async () => {
    const client = await readingOf(200, { checkout_session_id: SESSION.id, status: "completed", amount: "25000" });
    const { data } = await client.checkoutSessions.read(SESSION.id);
    expect(data.amount).toBeUndefined();
    expect(data.currencyCode).toBeUndefined();
    expect(data.environment).toBeUndefined();
  });

  test("a status that is new to us survives, and so does the raw answer", async () => {
    const client = await readingOf(200, { ...SESSION, status: "paused", added_later: 1 });
    const reply = await client.checkoutSessions.read(SESSION.id);
    expect(reply.data.status).toBe("paused");
    expect(reply.raw).toMatchObject({ added_later: 1 });
    expect(reply.requestId).toBe(REQUEST_ID);
  });

  test("characters split over pieces of the body come out whole", async () => {
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

  test("an answer without end is refused before it fills the memory", async () => {
    const client = await readingOf(200, `{"title":"${"a".repeat(9 * 1024 * 1024)}"}`);
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "response_too_large" });
  });

  test.each([
    ["an HTML page", 200, "<html>"],
    ["bytes that are no text", 200, Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ["a redirect", 302, ""],
  ])("%s is not the service's answer", async (_, status, body) => {
    const client = await readingOf(status, body, { location: "https://elsewhere.example" });
    await expect(client.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "response_unreadable" });
  });
});

describe("opening a session", () => {
  test.each([
    ["an unpaid invoice blocks the customer", { payment_required: true, reason: "invoice_payment_required" }],
    ["the URL is missing", { ...SESSION, checkout_url: undefined }],
    ["the id is missing", { ...SESSION, id: undefined, checkout_session_id: undefined }],
    ["the URL is a script", { ...SESSION, checkout_url: "javascript:alert(1)" }],
    ["the answer is empty", ""],
  ])("sends nobody anywhere when %s", async (_, body) => {
    const client = await readingOf(201, body);
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
    ["a bare array", [row], null, null],
    ["pages by offset", { data: [row], total: 3, limit: 1, offset: 1 }, null, 2],
    ["the last page by offset", { data: [row], total: 2, limit: 1, offset: 1 }, null, null],
  ])("%s is understood", async (_, body, nextCursor, nextOffset) => {
    const client = await readingOf(200, body);
    const { data } = await client.transactions.list({ status: ["completed", "held"], limit: 1 });
    expect(data.items).toMatchObject([{ id: row.transaction_id, grossAmount: 25000 }]);
    expect(data).toMatchObject({ nextCursor, nextOffset });
  });

  test("filters with several values travel with commas", async () => {
    const service = await startFaultServer(answers(200, []));
    const { client } = testClient(service.baseUrl);
    await client.transactions.list({ status: ["completed", "held"], limit: 5 });
    expect(service.seen[0]?.url).toBe("/transactions?status=completed%2Cheld&limit=5");
  });

  test("a single object is no list", async () => {
    const client = await readingOf(200, row);
    await expect(client.transactions.list()).rejects.toMatchObject({ code: "response_unusable" });
  });
});

describe("reading a webhook endpoint", () => {
  const record = { id: "wh_7K2MPQ9XW4ZTBD", url: "https://shop.example/hook", is_active: true };
  test.each([
    ["in the record", { ...record, secret: "whsec_00112233445566778899aabbccddeeff" }],
    ["beside the record", { data: record, secret: "whsec_00112233445566778899aabbccddeeff" }],
  ])("the secret is found %s", async (_, body) => {
    const client = await readingOf(201, body);
    const { data } = await client.webhooks.create({ url: record.url, authorized_events: ["PAYMENT_SUCCEEDED"] });
    expect(data).toMatchObject({ id: record.id, isActive: true, secret: "whsec_00112233445566778899aabbccddeeff" });
  });
});

describe("reading a refusal", () => {
  test.each([
    ["the error object", { error: { code: "forbidden", message: "No" }, request_id: REQUEST_ID }, "forbidden", "No"],
    ["an old message", { message: "Too old" }, "forbidden", "Too old"],
    ["an old list of messages", { message: ["amount", "title"] }, "forbidden", "amount; title"],
    ["a code that is new to us", { error: { code: "novelty", message: "New" } }, "forbidden", "New"],
    ["no JSON at all", "Forbidden by proxy", "forbidden", "The service responded with status 403"],
  ])("%s becomes a code and a sentence", async (_, body, code, message) => {
    const client = await readingOf(403, body);
    const reading = client.checkoutSessions.read(SESSION.id);
    await expect(reading).rejects.toMatchObject({ code, message, status: 403, requestId: REQUEST_ID });
  });

  test("a refusal of a million fields is read in part", async () => {
    const details = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field-${at}`, ["1 ".repeat(20)]]));
    const client = await readingOf(400, {
      error: { code: "validation_failed", message: "1 ".repeat(100_000), details },
    });
    const error = await client.checkoutSessions.create({ amount: 1 }).catch((thrown) => thrown);
    expect(Object.keys(error.details.fields)).toHaveLength(50);
    expect(error.message.length).toBeLessThanOrEqual(500);
  });

  test("problems of fields are listed by path", async () => {
    const details = { currency_code: ["must be one of XOF, USD, EUR"], "line_items.0": "unknown" };
    const client = await readingOf(400, {
      error: { code: "validation_failed", message: "Request validation failed", details },
    });
    await expect(client.checkoutSessions.create({ amount: 1 })).rejects.toMatchObject({
      details: { fields: { currency_code: ["must be one of XOF, USD, EUR"], "line_items.0": ["unknown"] } },
    });
  });
});
