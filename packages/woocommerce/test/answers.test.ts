import { expect, it, vi } from "vitest";
import { answers } from "./vectors.ts";
import { openWorld } from "./world.ts";

const PATIENCE = { timeout: 10_000, interval: 20 };

it("every answer to the plugin has the form of its example in the vectors", async () => {
  const world = await openWorld();
  const { order, payment } = await world.openOrder();
  await world.pay(payment);
  await vi.waitFor(async () => expect((await world.payment(order.id)).state).toBe("recorded"), PATIENCE);
  const wish = { order: String(order.id), key: order.key, language: "en" };
  const money = { amount: "5000.00", currency: "XOF" };
  const refund = await world.call("refund", { ...wish, refund_key: "refund-key", amount: "1500", currency: "XOF" });
  const told = {
    error: (await world.call("status", wish, { offsetSeconds: -960 })).body,
    refund: refund.body,
    status: (await world.call("status", wish)).body,
    health: (await world.call("health", { ...money, webhook: true })).body,
    preview: (await world.call("preview", money)).body,
  };
  for (const [name, body] of Object.entries(told))
    expect({ [name]: formOf(body) }).toEqual({ [name]: formOf(answers[name]) });
});

it("an order whose transaction is not known yet shows the session instead", async () => {
  const world = await openWorld({ timer: false });
  const { shop } = world.fake;
  const order = shop.placeOrder({ total: "5000" });
  const store = await world.companion().checkout.engine.store("boutique");
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

/** Names and types, not values; a list has the form of its first row. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  if (typeof value !== "object" || value === null) return typeof value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, item]) => [name, MAY_LACK.has(name) ? "may lack" : formOf(item)]));
}

const MAY_LACK: ReadonlySet<string> = new Set(["last", "difference", "transaction", "session", "refund"]);
