import { describe, expect, it } from "vitest";
import { anId, aTime, expectInvalid, expectRefusal } from "../answer.ts";
import { type Operation, unknownId } from "../operations.ts";
import { hour, startService } from "../service.ts";
import {
  cardCharge,
  chargeWave,
  listen,
  openSession,
  order,
  paidSession,
  readTransaction,
  refund,
  waveCharge,
} from "../steps.ts";

const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const publicId = (prefix: string) => new RegExp(`^${prefix}_[${alphabet}]{14}$`);

describe("Amounts and currencies", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const expiry_date = new Date(Date.now() + hour).toISOString();
  const bodies: readonly (readonly [Operation, Record<string, unknown>])[] = [
    ["POST /checkout-sessions", order],
    ["POST /charge/wave", waveCharge],
    ["POST /charge/mtn", waveCharge],
    ["POST /charge/card", cardCharge],
    ["POST /payment-requests", { amount: 5000, currency_code: "XOF", expiry_date }],
    [
      "POST /payouts",
      {
        destination: "beneficiary",
        rail: "bank",
        amount: 5000,
        currency_code: "XOF",
        recipient: { name: "Awa", phone: "+2250700000000" },
      },
    ],
    ["POST /settlements/instant", { mode: "advance", amount: 5000, currency_code: "XOF" }],
    ["POST /refunds", { transaction_id: unknownId, amount: 100 }],
  ];

  it.each(bodies)(
    "%s: an amount that is missing or not a number gives 400 validation_failed",
    async (operation, body) => {
      for (const amount of [undefined, null, "5000", true, [5000], { value: 5000 }]) {
        expectInvalid(await service.call(operation, { body: { ...body, amount } }), "amount");
      }
    },
  );

  it.each(bodies)(
    "%s: an amount that is zero, negative, a fraction or not a safe integer gives 400 amount_invalid",
    async (operation, body) => {
      for (const amount of [0, -1, 0.5, 4999.99, 2 ** 53, 1e300]) {
        expectRefusal(await service.call(operation, { body: { ...body, amount } }), 400, "amount_invalid");
      }
    },
  );

  it("the currencies are XOF, USD and EUR", async () => {
    for (const currency_code of ["XOF", "USD", "EUR"]) {
      expect((await openSession(service.call, { currency_code })).text("currency_code")).toBe(currency_code);
    }
    for (const currency_code of ["GBP", "XAF", "", "F CFA", 952, null]) {
      expectInvalid(
        await service.call("POST /checkout-sessions", { body: { ...order, currency_code } }),
        "currency_code",
      );
    }
  });

  it("an amount comes back as it was sent, in the currency's unit", async () => {
    for (const amount of [1, 5000, 123_456_789]) {
      expect((await openSession(service.call, { amount })).number("amount")).toBe(amount);
    }
  });

  it("a wave charge below 100 XOF gives 400 amount_invalid", async () => {
    expectRefusal(
      await service.call("POST /charge/wave", { body: { ...waveCharge, amount: 99 } }),
      400,
      "amount_invalid",
    );
    expect((await chargeWave(service.call, { amount: 100 })).status).toBe(201);
  });

  it.each([
    ["XOF", 1000],
    ["USD", 50],
    ["EUR", 50],
  ])("a card charge in %s below %d gives 400 amount_invalid", async (currency_code, minimum) => {
    const charge = (amount: number) =>
      service.call("POST /charge/card", { body: { ...cardCharge, currency_code, amount } });
    expectRefusal(await charge(minimum - 1), 400, "amount_invalid");
    expect((await charge(minimum)).status).toBe(201);
  });
});

describe("Identifiers and times", () => {
  const service = startService();

  it("sessions, transactions, customers, organizations and refunds have UUIDs", async () => {
    const shop = await service.merchant();
    const { sessionId, transactionId } = await paidSession(service, shop.call);
    const transaction = await readTransaction(shop.call, transactionId);
    const made = await refund(shop.call, transactionId, 100);
    expect([sessionId, transactionId, shop.organizationId, shop.merchantId]).toEqual([anId, anId, anId, anId]);
    expect([transaction.text("customer_id"), made.text("refund_id")]).toEqual([anId, anId]);
  });

  it("a transaction's public id is txn_ and 14 unambiguous characters", async () => {
    const { transactionId } = await paidSession(service, service.call);
    expect((await readTransaction(service.call, transactionId)).text("public_id")).toMatch(publicId("txn"));
  });

  it("a customer's public id is cus_ and 14 unambiguous characters", async () => {
    const customer = await service.call("POST /customers", { body: { name: "Awa" } });
    expect(customer.text("public_id")).toMatch(publicId("cus"));
  });

  it("a checkout URL ends with cs_ and 14 unambiguous characters", async () => {
    const url = new URL((await openSession(service.call)).text("checkout_url"));
    expect(url.pathname.split("/").at(-1)).toMatch(publicId("cs"));
    expect(url.href.startsWith(`${service.checkoutBaseUrl()}/cs_`)).toBe(true);
  });

  it("a webhook's id is wh_ and 14 unambiguous characters, its secret whsec_ and 32 hex characters", async () => {
    const { id, secret } = await listen(service, service.call, ["PAYMENT_FAILED"]);
    expect(id).toMatch(publicId("wh"));
    expect(secret).toMatch(/^whsec_[0-9a-f]{32}$/);
  });

  it("a card charge's id starts with pi_", async () => {
    const charge = await service.call("POST /charge/card", { body: cardCharge });
    expect(charge.text("data.id")).toMatch(/^pi_\w+$/);
  });

  it("a Member Account's id is acct_ and 16 small letters or digits", async () => {
    const member = await service.control("POST /members", { name: "A member", status: "active" });
    expect(member.text("account")).toMatch(/^acct_[a-z0-9]{16}$/);
  });

  it("times are ISO 8601 in UTC with milliseconds", async () => {
    const { sessionId, transactionId } = await paidSession(service, service.call);
    const session = await service.call("GET /checkout-sessions/{id}", { params: { id: sessionId } });
    const transaction = await readTransaction(service.call, transactionId);
    for (const name of ["created_at", "updated_at", "expires_at"]) expect(session.text(name)).toEqual(aTime);
    for (const name of ["created_at", "updated_at"]) expect(transaction.text(name)).toEqual(aTime);
  });

  it("every stored resource names its environment", async () => {
    const shop = await service.merchant();
    const customer = await shop.live("POST /customers", { body: { name: "Awa" } });
    const { sessionId, transactionId } = await paidSession(service, shop.live);
    const { id } = await listen(service, shop.live, ["PAYMENT_FAILED"]);
    const made = await refund(shop.live, transactionId, 100);
    const answers = [
      customer,
      await shop.live("GET /checkout-sessions/{id}", { params: { id: sessionId } }),
      await readTransaction(shop.live, transactionId),
      await shop.live("GET /webhooks/{id}", { params: { id } }),
      await shop.live("GET /refunds/{id}", { params: { id: made.text("refund_id") } }),
    ];
    for (const answer of answers) expect(answer.text("environment")).toBe("live");
  });
});
