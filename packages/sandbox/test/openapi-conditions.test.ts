import { expect, it } from "vitest";
import { openContract, Validator } from "./open-contract.ts";
import { api, type Json, openSandbox } from "./open-sandbox.ts";

const id = "00000000-0000-4000-8000-000000000000";
const money = { amount: 5_000, currency_code: "XOF" };
const payer = { name: "Awa", phoneNumber: "+2250700000000" };
const payout = { ...money, rail: "wave" };

/** Each body breaks exactly one rule that needs several fields, or that zod checks in a function. */
const refused: readonly [rule: string, path: string, body: Json][] = [
  ["a session needs an amount or something that has a price", "/checkout-sessions", { title: "Basket" }],
  [
    "a session that asks for no contact names the customer",
    "/checkout-sessions",
    { ...money, require_name: false, require_email: false },
  ],
  [
    "a metadata text has 1000 characters at most",
    "/checkout-sessions",
    { ...money, metadata: { k: "x".repeat(1_001) } },
  ],
  ["a card charge names its customer", "/charge/card", { ...money, customer_email: "awa@example.com" }],
  ["a card charge names its currency", "/charge/card", { amount: 5_000, customer_id: id }],
  ["MTN pays in XOF", "/charge/mtn", { amount: 5_000, currency: "EUR", customer: payer }],
  ["a payout to oneself names the method", "/payouts", { ...payout, destination: "self" }],
  [
    "a payout to somebody names the recipient",
    "/payouts",
    { ...payout, destination: "beneficiary", payout_method_id: id },
  ],
  ["a settlement by rail names the payout", "/settlements/instant", { ...money, mode: "rail" }],
];

const taken: readonly [rule: string, path: string, body: Json][] = [
  ["a session by its line items", "/checkout-sessions", { line_items: [{ price_id: "price_1" }] }],
  [
    "a session that asks for the phone alone",
    "/checkout-sessions",
    { ...money, require_name: false, require_email: false, require_phone: true },
  ],
  [
    "a session that asks for no contact of a named customer",
    "/checkout-sessions",
    { ...money, require_name: false, require_email: false, customer_name: "Awa" },
  ],
  ["metadata of any kind", "/checkout-sessions", { ...money, metadata: { a: "x", b: 1, c: null, d: { e: [true] } } }],
  [
    "a card charge of a customer with name and e-mail",
    "/charge/card",
    { amount: 5_000, currency: "XOF", customer_email: "awa@example.com", customer_name: "Awa" },
  ],
  ["a payout to oneself", "/payouts", { ...payout, destination: "self", payout_method_id: id }],
  ["an advance", "/settlements/instant", { ...money, mode: "advance" }],
];

it.each([...refused.map((row) => [...row, false] as const), ...taken.map((row) => [...row, true] as const)])(
  "the document and the service agree: %s (%s)",
  async (_rule, path, body, isTaken) => {
    const sandbox = await openSandbox();
    const { document } = await openContract(sandbox);
    expect(matches(document, path, body)).toBe(isTaken);
    const { json } = await api(sandbox, `POST ${path}`, { body, headers: { "Idempotency-Key": "key" } });
    expect(json.error?.code === "validation_failed").toBe(!isTaken);
  },
);

it("the document and the service agree: a metadata key has 64 characters at most", async () => {
  const sandbox = await openSandbox();
  const { document } = await openContract(sandbox);
  // The validator of these tests knows no `propertyNames`, which JSON Schema has since draft 6.
  const { metadata } = document.components.schemas.CheckoutSessionRequest.properties;
  expect(metadata.propertyNames).toEqual({ type: "string", maxLength: 64 });
  const body = { ...money, metadata: { ["k".repeat(65)]: 1 } };
  expect((await api(sandbox, "POST /checkout-sessions", { body })).json.error.code).toBe("validation_failed");
});

/** Whether a body matches the schema of its request. The validator of responses is also one of any schema. */
function matches(document: Json, path: string, body: Json): boolean {
  const { schema } = document.paths[path].post.requestBody.content["application/json"];
  const validator = new Validator({
    responses: { 200: { schema: structuredClone(schema) } },
    components: { schemas: structuredClone(document.components.schemas) },
  });
  return validator.validateResponse(200, body) === undefined;
}
