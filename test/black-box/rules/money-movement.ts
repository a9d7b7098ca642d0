import { describe, expect, it } from "vitest";
import { anId, aTime, expectInvalid, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { hour, type Merchant, startService } from "../service.ts";
import { balanceOf, chargeWave, expectStatus, netOfOrder, paidSession, refund } from "../steps.ts";

const recipient = { name: "Awa Diop", phone: "+2250700000000" };
const payout = { destination: "beneficiary", rail: "bank", amount: 1000, currency_code: "XOF", recipient };

describe("Payment requests", () => {
  const service = startService();
  const body = { amount: 5000, currency_code: "XOF", expiry_date: new Date(Date.now() + 24 * hour).toISOString() };

  it("a payment request is created as pending with a link to a hosted page", async () => {
    const shop = await service.merchant();
    const request = { ...body, description: "Invoice 12", payment_reference: "12", metadata: { invoice: "12" } };
    const made = await shop.call("POST /payment-requests", { body: request });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...request,
      request_id: anId,
      customer_id: null,
      status: "pending",
      environment: "test",
      organization_id: shop.organizationId,
      created_by: shop.merchantId,
      created_at: aTime,
      updated_at: aTime,
    });
    expect(new URL(made.text("payment_link")).protocol).toMatch(/^https?:$/);
  });

  it("a payment request has its own request_id, which is not the HTTP request's id", async () => {
    const made = await service.call("POST /payment-requests", { body });
    expect(made.text("request_id")).not.toBe(made.headers.get("X-Request-Id"));
  });

  it("a replayed payment request keeps its request_id", async () => {
    const call = { body, idempotencyKey: "request" };
    const [first, again] = [
      await service.call("POST /payment-requests", call),
      await service.call("POST /payment-requests", call),
    ];
    expect(again.headers.get("Idempotency-Cache-Hit")).toBe("true");
    expect(again.raw).toBe(first.raw);
  });

  it("a payment request needs amount, currency and an expiry date in the future", async () => {
    const post = (change: object) => service.call("POST /payment-requests", { body: { ...body, ...change } });
    expectInvalid(await post({ amount: undefined }), "amount");
    expectInvalid(await post({ currency_code: undefined }), "currency_code");
    for (const expiry_date of [undefined, "tomorrow", "2020-01-01T00:00:00.000Z", 5]) {
      expectInvalid(await post({ expiry_date }), "expiry_date");
    }
  });

  it("a payment request names its customer", async () => {
    const customer_id = (await service.call("POST /customers", { body: { name: "Awa" } })).text("customer_id");
    const made = await service.call("POST /payment-requests", { body: { ...body, customer_id } });
    expect(made.text("customer_id")).toBe(customer_id);
    const unknown = { ...body, customer_id: unknownId };
    expectRefusal(await service.call("POST /payment-requests", { body: unknown }), 404, "not_found");
  });
});

describe("Payouts, settlements and balances", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  /** A merchant whose balance is `netOfOrder`. */
  async function fundedMerchant(): Promise<Merchant> {
    const shop = await service.merchant();
    await chargeWave(shop.call);
    return shop;
  }

  it("a payout to a beneficiary works with a test key on the bank rail", async () => {
    const shop = await fundedMerchant();
    const made = await shop.call("POST /payouts", { body: { ...payout, reason: "Salary" } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ success: true, payout_id: anId, kind: "beneficiary" });
    expect(["pending", "processing", "completed"]).toContain(made.text("status"));
  });

  it("a payout subtracts from the balance when it is created", async () => {
    const shop = await fundedMerchant();
    expectStatus(await shop.call("POST /payouts", { body: payout }), 201);
    expect(await balanceOf(shop)).toBe(netOfOrder - payout.amount);
  });

  it("a payout to oneself is a withdrawal and needs a payout_method_id", async () => {
    const shop = await fundedMerchant();
    const self = { destination: "self", rail: "bank", amount: 1000, currency_code: "XOF" };
    expectInvalid(await shop.call("POST /payouts", { body: self }), "payout_method_id");
    const payout_method_id = "5a0f3a62-7c55-4b0e-8f0e-2a8d8c5b9e01";
    const made = await shop.call("POST /payouts", { body: { ...self, payout_method_id } });
    expect(made.body).toMatchObject({ success: true, kind: "withdrawal" });
  });

  it("a payout needs destination, rail, amount, currency and the beneficiary", async () => {
    const shop = await fundedMerchant();
    const post = (change: object) => shop.call("POST /payouts", { body: { ...payout, ...change } });
    for (const field of ["destination", "rail", "amount", "currency_code", "recipient"]) {
      expectInvalid(await post({ [field]: undefined }), field);
    }
    expectInvalid(await post({ destination: "friend" }), "destination");
    expectInvalid(await post({ rail: "cash" }), "rail");
  });

  it.each(["wave", "mtn"])(
    "a payout by %s with a test key gives 400 bad_request unless allowTestMobile is on",
    async (rail) => {
      const shop = await fundedMerchant();
      expectRefusal(await shop.call("POST /payouts", { body: { ...payout, rail } }), 400, "bad_request");
      expect(await balanceOf(shop)).toBe(netOfOrder);
      const made = await service.withSettings({ payouts: { allowTestMobile: true } }, () =>
        shop.call("POST /payouts", { body: { ...payout, rail } }),
      );
      expect(made.status).toBe(201);
    },
  );

  it("a payout above the available balance gives 400 amount_invalid", async () => {
    const shop = await fundedMerchant();
    const payOut = (amount: number) => shop.call("POST /payouts", { body: { ...payout, amount } });
    expectRefusal(await payOut(netOfOrder + 1), 400, "amount_invalid");
    expect((await payOut(netOfOrder)).status).toBe(201);
    expectRefusal(await payOut(1), 400, "amount_invalid");
  });

  it("a webhook endpoint cannot subscribe to the completion of payouts", async () => {
    const shop = await fundedMerchant();
    const body = { url: (await service.receiver()).url, authorized_events: ["PAYOUT_COMPLETED"] };
    expectInvalid(await shop.call("POST /webhooks", { body }), "authorized_events");
  });

  it("an advance gives 400 bad_request unless card funds are held", async () => {
    const shop = await service.merchant();
    await paidSession(service, shop.call);
    const body = { mode: "advance", amount: 1000, currency_code: "XOF" };
    expectRefusal(await shop.call("POST /settlements/instant", { body }), 400, "bad_request");
  });

  it("an advance releases held card funds, up to the held amount", async () => {
    const shop = await service.merchant();
    await service.withSettings({ holdCardFunds: true }, async () => {
      await paidSession(service, shop.call);
      expect(await balanceOf(shop)).toBe(0);
      const body = { mode: "advance", amount: 1000, currency_code: "XOF" };
      const made = await shop.call("POST /settlements/instant", { body });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        instant_settlement_id: anId,
        mode: "advance",
        amount: 1000,
        currency_code: "XOF",
        payout_id: null,
        status: "completed",
        environment: "test",
        created_at: aTime,
      });
      expect(made.number("net_amount")).toBe(1000 - made.number("fee_amount"));
      expect(await balanceOf(shop)).toBe(made.number("net_amount"));
      const over = await shop.call("POST /settlements/instant", { body: { ...body, amount: 1_000_000 } });
      expect(over.status).toBe(400);
    });
  });

  it("a rail settlement records a fee on an existing payout", async () => {
    const shop = await fundedMerchant();
    const payout_id = (await shop.call("POST /payouts", { body: payout })).text("payout_id");
    const body = { mode: "rail", amount: 1000, currency_code: "XOF", payout_id };
    const made = await shop.call("POST /settlements/instant", { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ mode: "rail", payout_id, status: "completed" });
    expectInvalid(
      await shop.call("POST /settlements/instant", { body: { ...body, payout_id: undefined } }),
      "payout_id",
    );
    expectInvalid(await shop.call("POST /settlements/instant", { body: { ...body, mode: "fast" } }), "mode");
  });

  it("the balance is an array of currencies with the time of the last change", async () => {
    const shop = await fundedMerchant();
    const rows = (await shop.call("GET /accounts/balance")).rows();
    expect(rows).toContainEqual({ currency_code: "XOF", balance: netOfOrder, last_updated: aTime });
    expect((await shop.call("GET /accounts/balance", { query: { currency: "XOF" } })).rows()).toHaveLength(1);
  });

  it("the balance of a currency is the net of payments, less refunds, less payouts", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call, { amount: 10_000 });
    await paidSession(service, shop.call, { amount: 2000, currency_code: "EUR" });
    await chargeWave(shop.call, { amount: 1000 });
    await refund(shop.call, transactionId, 3000);
    expectStatus(await shop.call("POST /payouts", { body: payout }), 201);
    // Each payment reaches the balance less the fee of 2.5 percent.
    expect(await balanceOf(shop)).toBe(9750 + 975 - 3000 - payout.amount);
    expect(await balanceOf(shop, "EUR")).toBe(1950);
  });

  it("a test key sees only test balances", async () => {
    const shop = await fundedMerchant();
    const live = (await shop.live("GET /accounts/balance", { query: { currency: "XOF" } })).rows();
    expect(live.map((row) => row.balance)).not.toContain(netOfOrder);
  });
});
