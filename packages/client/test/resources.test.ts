import { type Endpoint, endpoints } from "@tillkit/client/endpoints";
import { operationSchemas } from "@tillkit/client/schemas";
import { expect, test } from "vitest";
import type { ServiceClient } from "../src/service-client.ts";
import { answers, startFaultServer } from "./fault-server.ts";
import { TEST_KEY, testClient } from "./test-client.ts";

/** One object that every reader finds its own id in. */
const ANSWER = {
  id: "wh_1",
  url: "https://shop.example/hook",
  checkout_session_id: "s1",
  checkout_url: "https://pay.service.example/cs_1",
  transaction_id: "t1",
  refund_id: "r1",
  request_id: "q1",
  payment_link: "https://pay.service.example/q1",
  payout_id: "p1",
  instant_settlement_id: "i1",
  customer_id: "c1",
  account_id: "a1",
  currency_code: "XOF",
  organization_id: "o1",
  merchant_id: "m1",
  provider_code: "WAVE",
  success: true,
  delivered: true,
};

type Method = (...args: unknown[]) => Promise<{ data: unknown }>;

function methodOf(client: ServiceClient, { call }: Endpoint): Method {
  const [resource = "", method = ""] = call.split(".");
  return (client as unknown as Record<string, Record<string, Method>>)[resource]?.[method] as Method;
}

/** Path parameters, then body or query, then options, as every method takes them. */
function argumentsFor({ method, path, idempotency }: Endpoint, takesQuery: boolean): unknown[] {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}-1`);
  const takesBody = method === "PATCH" || (method === "POST" && !path.endsWith("/test") && !path.endsWith("/retry"));
  const input = takesBody ? [{ amount: 1 }] : takesQuery ? [{}] : [];
  return [...params, ...input, idempotency === "required" ? { idempotencyKey: "key-1" } : {}];
}

test.each(Object.entries(endpoints))("%s sends what its row says and reads the answer", async (operation, row) => {
  const endpoint: Endpoint = row;
  const body = { one: ANSWER, array: [ANSWER], list: { object: "list", data: [ANSWER] }, none: "" }[endpoint.answer];
  const service = await startFaultServer(answers(endpoint.success, body));
  const { client } = testClient(service.baseUrl, { account: "acct_0123456789abcdef" });
  const takesQuery = "query" in operationSchemas[operation as keyof typeof operationSchemas];

  const { data } = await methodOf(client, endpoint)(...argumentsFor(endpoint, takesQuery));

  const sent = service.seen[0];
  const path = (endpoint.versioned ? "/v1" : "") + endpoint.path.replace(/\{(\w+)\}/g, "$1-1");
  expect(sent).toMatchObject({ method: endpoint.method, url: path });
  expect(sent?.headers["x-api-key"]).toBe(TEST_KEY);
  expect(sent?.headers["idempotency-key"]).toBe(endpoint.idempotency === "required" ? "key-1" : undefined);
  expect(sent?.headers["service-account"]).toBe(endpoint.capabilities === null ? undefined : "acct_0123456789abcdef");
  if (endpoint.answer === "list" || endpoint.answer === "array")
    expect(data).toMatchObject({ received: 1, items: [{}] });
  else expect(data).toBeTypeOf("object");
});
