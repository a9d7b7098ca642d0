import { inspect } from "node:util";
import { createServiceClient, redact } from "@tillkit/client";
import { expect, test } from "vitest";
import { responds, SESSION, startFaultServer } from "./fault-server.ts";
import { TEST_KEY, testClient } from "./test-client.ts";

const PRIVATE = [
  TEST_KEY,
  "whsec_00112233445566778899aabbccddeeff",
  "awa.diop@example.test",
  "4242 4242 4242 4242",
  "4242424242424242",
  "+225 07 00 00 00 01",
  "+2250700000001",
  "0700000001",
];
const SENTENCE = PRIVATE.map((item) => `value ${item} is wrong`).join(", ");

/** Every way in which a logger could print a value. */
function printed(value: unknown): string {
  const error = value instanceof Error ? value : undefined;
  const views = [String(value), JSON.stringify(value), inspect(value, { depth: null, showHidden: true }), error?.stack];
  return views.join("\n") + (error?.cause === undefined ? "" : printed(error.cause));
}

function expectNothingPrivate(value: unknown) {
  const text = printed(value);
  for (const item of PRIVATE) expect(text).not.toContain(item);
}

test("an error holds no personal data that the service repeated", async () => {
  const details = { customer_phone: [SENTENCE], [`field ${TEST_KEY}`]: SENTENCE };
  const responses = [
    responds(400, { error: { code: "validation_failed", message: SENTENCE, details } }),
    responds(400, { message: [SENTENCE] }),
    responds(400, { error: { code: "bad_request", message: "No", details: SENTENCE } }),
    responds(403, { error: { code: "forbidden", message: "No" }, request_id: "awa.diop@example.test" }),
    responds(403, SENTENCE, { "x-request-id": "awa.diop@example.test" }),
    responds(200, SENTENCE),
    responds(200, `{"x":"${SENTENCE}`),
  ];
  const service = await startFaultServer(...responses);
  const { client } = testClient(service.baseUrl);
  for (const _response of responses) {
    expectNothingPrivate(await client.transactions.read("txn_8QW3ER5TYU7KPA").catch((error) => error));
  }
});

test("an error holds no part of the request that the transport's error shows", async () => {
  const { client } = testClient("https://api.example", {
    transport: async ({ headers }) => {
      throw Object.assign(new Error(`failed with ${JSON.stringify(headers)} ${SENTENCE}`), { code: TEST_KEY, headers });
    },
  });
  const error = await client.checkoutSessions.read(SESSION.id).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "connection_failed" });
  expectNothingPrivate(error);
});

test("an error holds no personal data of the reason of an abort", async () => {
  const { client } = testClient("https://api.example");
  const signal = AbortSignal.abort(new Error(SENTENCE));
  expectNothingPrivate(await client.checkoutSessions.read(SESSION.id, { signal }).catch((error) => error));
});

test("the printed client does not show its API key", () => {
  expectNothingPrivate(createServiceClient({ apiKey: TEST_KEY, baseUrl: "https://api.example" }));
});

test("redaction keeps ids, amounts and dates", () => {
  const text = "payment b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60 of 25000 on 2026-03-01T10:03:12.345Z, txn_8QW3ER5TYU7KPA";
  expect(redact(text)).toBe(text);
});
