import { describe, expect, it } from "vitest";
import { anId, expectInvalid, expectRefusal } from "../answer.ts";
import { startService } from "../service.ts";
import { balanceOf, chargeWave, listen, netOfOrder, paymentEvents, readTransaction, waveCharge } from "../steps.ts";

/** Each rail, and the places of the transaction's id and status in its answer. */
const rails = [
  ["wave", "transaction_id", "status"],
  ["mtn", "data.transaction_id", "data.status"],
] as const;

describe("Direct charges by wave and mtn", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it.each(rails)(
    "a charge by %s completes at once with a test key: transaction, balance and PAYMENT_SUCCEEDED",
    async (rail, id, status) => {
      const shop = await service.merchant();
      const { receiver } = await listen(service, shop.call, paymentEvents);
      const charge = await shop.call(`POST /charge/${rail}`, { body: waveCharge });
      expect(charge.status).toBe(201);
      expect(charge.text(status).toLowerCase()).toBe("completed");
      const transaction = await readTransaction(shop.call, charge.text(id));
      expect(transaction.body).toMatchObject({
        status: "completed",
        gross_amount: 5000,
        net_amount: netOfOrder,
        currency_code: "XOF",
        checkout_session_id: null,
        provider_code: rail.toUpperCase(),
        payment_method_code: "MOBILE_MONEY",
        description: "Order 1042",
      });
      expect(await balanceOf(shop)).toBe(netOfOrder);
      await receiver.wait(1, "PAYMENT_CREATED");
      const [event] = await receiver.wait(1, "PAYMENT_SUCCEEDED");
      expect(event?.body.data).toMatchObject({ transaction_id: charge.text(id), status: "completed" });
    },
  );

  it.each(rails)("a charge by %s is PENDING with a live key until the customer approves", async (rail, id, status) => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.live, paymentEvents);
    const charge = await shop.live(`POST /charge/${rail}`, { body: waveCharge });
    expect(charge.status).toBe(201);
    expect(charge.text(status).toUpperCase()).toBe("PENDING");
    const transactionId = charge.text(id);
    expect((await readTransaction(shop.live, transactionId)).text("status")).toBe("pending");
    await service.control(`POST /transactions/${transactionId}/complete`);
    expect((await readTransaction(shop.live, transactionId)).text("status")).toBe("completed");
    await receiver.wait(1, "PAYMENT_SUCCEEDED");
  });

  it("a charge by wave returns both spellings of the transaction id, a launch URL and a redirect", async () => {
    const charge = await chargeWave(service.call);
    expect(charge.text("transactionId")).toEqual(anId);
    expect(charge.text("transaction_id")).toBe(charge.text("transactionId"));
    const url = charge.text("wave_launch_url");
    expect(new URL(url).protocol).toMatch(/^https?:$/);
    expect(charge.body).toMatchObject({
      checkout_url: expect.any(String),
      data: {},
      next_action: { type: "redirect", url },
    });
  });

  it("a charge by mtn returns success, its own ids and the next action await_webhook", async () => {
    const headers = { "X-Scenario-Key": "pending" };
    const charge = await service.call("POST /charge/mtn", { body: { ...waveCharge, countryCode: "CI" }, headers });
    expect(charge.body).toMatchObject({
      success: true,
      data: { transaction_id: anId, external_id: expect.stringMatching(/^ext_/), reference_id: anId },
      next_action: { type: "await_webhook", status: "PENDING" },
    });
    expect(charge.text("data.status")).toBe("PENDING");
  });

  it.each(rails)("a charge by %s under X-Scenario-Key pending stays pending", async (rail, id, status) => {
    const shop = await service.merchant();
    const headers = { "X-Scenario-Key": "pending" };
    const charge = await shop.call(`POST /charge/${rail}`, { body: waveCharge, headers });
    expect(charge.status).toBe(201);
    expect(charge.text(status).toLowerCase()).toBe("pending");
    expect((await readTransaction(shop.call, charge.text(id))).text("status")).toBe("pending");
    expect(await balanceOf(shop)).toBe(0);
  });

  it.each(rails)(
    "a charge by %s under X-Scenario-Key failed gives 400, makes no transaction and sends no event",
    async (rail) => {
      const shop = await service.merchant();
      const { receiver } = await listen(service, shop.call, paymentEvents);
      const headers = { "X-Scenario-Key": "failed" };
      const charge = await shop.call(`POST /charge/${rail}`, { body: waveCharge, headers });
      expectRefusal(charge, 400, "bad_request");
      expect(charge.body).not.toHaveProperty("transaction_id");
      expect((await shop.call("GET /transactions")).number("total_count")).toBe(0);
      expect(await receiver.waitBriefly()).toEqual([]);
    },
  );

  it.each(rails)("a charge by %s under another X-Scenario-Key gives 400 validation_failed", async (rail) => {
    const headers = { "X-Scenario-Key": "completed" };
    const charge = await service.call(`POST /charge/${rail}`, { body: waveCharge, headers });
    expectRefusal(charge, 400, "validation_failed", "Request validation failed");
  });

  it.each(rails)("a charge by %s with a live key ignores X-Scenario-Key", async (rail, _id, status) => {
    const shop = await service.merchant();
    for (const scenario of ["failed", "nonsense"]) {
      const charge = await shop.live(`POST /charge/${rail}`, {
        body: waveCharge,
        headers: { "X-Scenario-Key": scenario },
      });
      expect(charge.status).toBe(201);
      expect(charge.text(status).toUpperCase()).toBe("PENDING");
    }
  });

  it.each(rails)(
    "a charge by %s completes for every phone ending, because endings affect only the hosted page",
    async (rail, _id, status) => {
      for (const phoneNumber of ["+2250700000001", "+2250700000002", "+2250700000003"]) {
        const body = { ...waveCharge, customer: { ...waveCharge.customer, phoneNumber } };
        expect((await service.call(`POST /charge/${rail}`, { body })).text(status).toLowerCase()).toBe("completed");
      }
    },
  );

  it("a checkout session ignores X-Scenario-Key", async () => {
    const body = { amount: 5000, currency_code: "XOF" };
    const headers = { "X-Scenario-Key": "failed" };
    expect((await service.call("POST /checkout-sessions", { body, headers })).status).toBe(201);
  });

  it.each(rails)("a charge by %s takes XOF only", async (rail) => {
    const charge = await service.call(`POST /charge/${rail}`, { body: { ...waveCharge, currency: "EUR" } });
    expectInvalid(charge, "currency");
  });

  it.each(rails)(
    "a charge by %s needs a currency and a customer with name and phone in international form",
    async (rail) => {
      const charge = (change: object) => service.call(`POST /charge/${rail}`, { body: { ...waveCharge, ...change } });
      const { customer } = waveCharge;
      expectInvalid(await charge({ currency: undefined }), "currency");
      expectInvalid(await charge({ customer: undefined }), "customer");
      expectInvalid(await charge({ customer: { ...customer, name: undefined } }), "customer.name");
      expectInvalid(await charge({ customer: { ...customer, phoneNumber: undefined } }), "customer.phoneNumber");
      expectInvalid(await charge({ customer: { ...customer, phoneNumber: "0700000000" } }), "customer.phoneNumber");
      expectInvalid(await charge({ customer: { ...customer, email: "awa" } }), "customer.email");
    },
  );

  it.each(rails)("a charge by %s works without optional fields and keeps its metadata", async (rail, id) => {
    const customer = { name: "Awa", phoneNumber: "+2250700000000" };
    const body = { amount: 500, currency: "XOF", customer, metadata: { order_id: "1042" } };
    const charge = await service.call(`POST /charge/${rail}`, { body });
    expect(charge.status).toBe(201);
    expect((await readTransaction(service.call, charge.text(id))).body).toMatchObject({
      metadata: { order_id: "1042" },
    });
  });

  it("a muted rail gives 503 service_unavailable with the message temporarily unavailable", async () => {
    const charge = (rail: string) => service.call(`POST /charge/${rail}`, { body: waveCharge });
    const [muted, other] = await service.withSettings(
      { mute: ["wave"] },
      async () => [await charge("wave"), await charge("mtn")] as const,
    );
    expectRefusal(muted, 503, "service_unavailable", /temporarily unavailable/);
    expect(other.status).toBe(201);
  });

  it("POST /charge/switch answers 503 service_unavailable to every request with a valid key", async () => {
    const calls = [
      { account: "acct_aaaaaaaaaaaaaaaa" },
      { body: waveCharge },
      { raw: "{" },
      { idempotencyKey: null },
      { idempotencyKey: "", body: [] },
    ];
    for (const call of calls) {
      const answer = await service.call("POST /charge/switch", call);
      expectRefusal(answer, 503, "service_unavailable", /temporarily unavailable/);
    }
    expectRefusal(await service.call("POST /charge/switch", { key: null }), 401, "unauthorized", "Missing API key");
  });
});
