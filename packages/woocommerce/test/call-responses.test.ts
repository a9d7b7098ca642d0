import { expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServerFixture } from "./server-fixture.ts";
import { answers } from "./vectors.ts";

it("every response to the plugin has the fields of its example in the vectors, with which the plugin is tested", async () => {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  await fixture.pay(payment);
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  const input = { order: String(order.id), key: order.key, language: "en" };
  const money = { amount: "5000.00", currency: "XOF" };
  const refund = await fixture.call("refund", { ...input, refund_key: "refund-key", amount: "1500", currency: "XOF" });
  const responses = {
    error: (await fixture.call("status", input, { offsetSeconds: -960 })).body,
    refund: refund.body,
    status: (await fixture.call("status", input)).body,
    health: (await fixture.call("health", { ...money, webhook: true })).body,
    preview: (await fixture.call("preview", money)).body,
  };
  for (const [name, body] of Object.entries(responses))
    expect({ [name]: shapeOf(body) }).toEqual({ [name]: shapeOf(answers[name]) });
});

it("the order box and the health panel lead to the operators' pages where the configuration enables them", async () => {
  const fixture = await openServerFixture({
    config: { operators: { tokens: ["a token of the tests, never a real one"] } },
  });
  const { order, payment } = await fixture.openOrder();
  const status = await fixture.call("status", { order: String(order.id), key: order.key });
  expect(status.body).toMatchObject({
    payments: [{ operators_url: `${fixture.url}/operators/payments/${payment.id}` }],
  });
  const { body } = await fixture.call("health", {});
  expect(body).toMatchObject({ operators_url: `${fixture.url}/operators` });
  const page = await fetch(String(body.operators_url), { headers: { "Accept-Language": "en" } });
  expect(page.status).toBeLessThan(400);
});

it("an order without a known transaction shows the session id as its transaction", async () => {
  const fixture = await openServerFixture({ timer: false });
  const { shop } = fixture.fake;
  const order = shop.placeOrder({ total: "5000" });
  const store = await fixture.server().checkout.engine.store("boutique");
  const ref = { storeId: "boutique", orderId: String(order.id) };
  const total = { minor: 5_000, currency: "XOF" };
  const receipt = {
    paymentId: "4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11",
    ref,
    attempt: "",
    sessionId: "cs_01",
    transactionId: null,
    paid: total,
    total,
    environment: "test",
    fence: 1,
  } as const;
  expect(await store.markPaid(receipt)).toEqual({ outcome: "recorded", evidence: "read-back" });
  expect(shop.order(order.id)?.transactionId).toBe("cs_01");
});

/** The names and types of fields without values. A list has the shape of its first row. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, item]) => [name, NULLABLE.has(name) ? "nullable" : shapeOf(item)]));
}

/** Fields that are null in some responses, and have a value in others. */
const NULLABLE: ReadonlySet<string> = new Set([
  "last",
  "operators_url",
  "attempt",
  "decision",
  "difference",
  "transaction",
  "session",
  "refund",
  "sums",
  "lost",
  "doubt",
]);
