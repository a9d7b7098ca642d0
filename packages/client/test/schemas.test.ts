import { type Endpoint, endpoints, type OperationId } from "@tillkit/client/endpoints";
import {
  checkoutSessionRequestSchema,
  checkoutSessionSchema,
  errorSchema,
  listSchema,
  type OperationSchemas,
  operationSchemas,
  transactionSchema,
  webhookEndpointRequestSchema,
} from "@tillkit/client/schemas";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { SESSION } from "./fault-server.ts";
import vectors from "./vectors/events.json" with { type: "json" };

function invalidPaths(body: unknown): string[] {
  const result = checkoutSessionRequestSchema.safeParse(body);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join("."));
}

describe("a request for a checkout session", () => {
  test("the request of a plugin is valid, and its unknown fields are dropped", () => {
    const body = {
      amount: 25000,
      currency_code: "XOF",
      title: "Order 1042",
      success_url: "https://shop.example/return?s={CHECKOUT_SESSION_ID}",
      cancel_url: "https://shop.example/cart",
      customer_email: "awa@example.test",
      metadata: { order_id: "1042", lines: [1, 2] },
      an_unknown_field: true,
    };
    expect(checkoutSessionRequestSchema.parse(body)).not.toHaveProperty("an_unknown_field");
  });

  test.each([
    ["no amount", {}, ["amount"]],
    ["an amount as text", { amount: "25000" }, ["amount"]],
    ["an unknown currency", { amount: 1, currency_code: "GBP" }, ["currency_code"]],
    ["a title of 256 characters", { amount: 1, title: "x".repeat(256) }, ["title"]],
    ["a relative URL", { amount: 1, success_url: "/return" }, ["success_url"]],
    ["a script as URL", { amount: 1, cancel_url: "javascript:0" }, ["cancel_url"]],
    ["an empty email", { amount: 1, customer_email: "" }, ["customer_email"]],
    ["an empty name", { amount: 1, customer_name: "" }, ["customer_name"]],
    ["a quantity of zero", { amount: 1, quantity: 0 }, ["quantity"]],
    [
      "51 keys of metadata",
      { amount: 1, metadata: Object.fromEntries([...Array(51).keys()].map((k) => [k, 1])) },
      ["metadata"],
    ],
    ["a long metadata text", { amount: 1, metadata: { a: "x".repeat(1001) } }, ["metadata"]],
    ["a fee above the amount", { amount: 1, application_fee_amount: 2 }, ["application_fee_amount"]],
    ["a transfer", { amount: 1, transfer_data: {} }, ["transfer_data"]],
    ["a channel the service does not know", { amount: 1, integration_source: "medusa" }, ["integration_source"]],
    ["no contact field", { amount: 1, require_name: false, require_email: false }, ["require_name"]],
  ])("a session request with %s is invalid", (_, body, paths) => {
    expect(invalidPaths(body)).toEqual(paths);
  });

  test.each([0, -5, 1.5, 2 ** 53])("the amount %d is rejected with amount_invalid", (amount) => {
    const { error } = checkoutSessionRequestSchema.safeParse({ amount });
    expect(error?.issues[0]).toMatchObject({ path: ["amount"], params: { code: "amount_invalid" } });
  });

  test("a session request may ask for no contact field when the customer's name is given", () => {
    expect(invalidPaths({ amount: 1, require_name: false, require_email: false, customer_name: "Awa" })).toEqual([]);
  });
});

test("the examples of the service's documentation are valid", () => {
  expect(checkoutSessionSchema.parse(SESSION)).toMatchObject({ status: "open" });
  for (const { event, raw } of vectors.events.filter((vector) => vector.event.startsWith("PAYMENT_")))
    expect(transactionSchema.safeParse(JSON.parse(raw).data).error, event).toBeUndefined();
  const page = { object: "list", data: [], has_more: false, next_cursor: null, limit: 20, total_count: 0 };
  expect(listSchema(transactionSchema).parse(page)).toEqual(page);
  const failure = { error: { code: "not_found", message: "Order not found" }, request_id: SESSION.id };
  expect(errorSchema.parse(failure)).toEqual(failure);
});

test.each(Object.entries(operationSchemas))("the schemas of %s can be written as JSON Schema", (operation, row) => {
  const { body, query, response }: OperationSchemas = row;
  const { method }: Endpoint = endpoints[operation as OperationId];
  if (method === "GET") expect(body).toBeUndefined();
  for (const schema of [body, query]) if (schema) expect(z.toJSONSchema(schema, { io: "input" })).toBeTypeOf("object");
  if (response) expect(z.toJSONSchema(response)).toBeTypeOf("object");
});

test("a webhook endpoint with an unknown event is invalid", () => {
  const url = "https://shop.example/hook";
  expect(webhookEndpointRequestSchema.safeParse({ url, authorized_events: [] }).success).toBe(false);
  expect(webhookEndpointRequestSchema.safeParse({ url, authorized_events: ["payment.succeeded"] }).success).toBe(false);
  expect(webhookEndpointRequestSchema.safeParse({ url, authorized_events: ["test.webhook"] }).success).toBe(true);
});
