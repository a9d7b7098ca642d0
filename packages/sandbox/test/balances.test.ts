import { randomUUID } from "node:crypto";
import { accountSchema, balanceSchema, instantSettlementSchema, payoutSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { api, control, type Json, openSandbox } from "./open-sandbox.ts";
import { balance, mobileCharge, moveMoney, NET_OF_MOBILE_CHARGE, NET_OF_SESSION, payNewSession } from "./payments.ts";

const recipient = { name: "Awa Diop", phone: "+2250700000123" };
const payout = { destination: "beneficiary", rail: "bank", amount: 1000, currency_code: "XOF", recipient };
const payoutToSelf = { destination: "self", rail: "bank", amount: 1000, currency_code: "XOF" };

describe("the balance", () => {
  it("the balance is net payments less refunds and payouts, also with concurrent requests", async () => {
    const sandbox = await openSandbox({ settings: { ratePolicy: "off" } });
    const payments = await Promise.all(Array.from({ length: 20 }, () => payNewSession(sandbox, { amount: 10_000 })));
    await Promise.all(
      payments.flatMap(({ transaction_id }, index) => [
        moveMoney(sandbox, "/refunds", { transaction_id, amount: 100 + index }),
        moveMoney(sandbox, "/payouts", { ...payout, amount: 50 + index }),
      ]),
    );
    const { data: transactions } = (await api(sandbox, "GET /transactions?limit=100")).json;
    const { data: refunds } = (await api(sandbox, "GET /refunds?limit=100")).json;
    const sum = (rows: Json[], field: string) => rows.reduce((total, row) => total + row[field], 0);
    // The amounts grow by one each time: 0 + 1 + … + 19.
    const growth = 190;
    const paidOut = 20 * 50 + growth;
    expect(await balance(sandbox)).toBe(sum(transactions, "net_amount") - sum(refunds, "amount") - paidOut);
    const netPayment = 9_750; // 10,000 less the fee of 2.5 %
    expect(await balance(sandbox)).toBe(20 * netPayment - (20 * 100 + growth) - paidOut);
  });

  it("balances are separate per currency and environment, and the default currency is always listed", async () => {
    const sandbox = await openSandbox();
    const before = await api(sandbox, "GET /accounts/balance");
    balanceSchema.array().parse(before.json);
    expect(before.json).toMatchObject([{ currency_code: "XOF", balance: 0 }]);
    await payNewSession(sandbox, { amount: 2000, currency_code: "EUR" });
    expect((await api(sandbox, "GET /accounts/balance")).json).toMatchObject([
      { currency_code: "EUR", balance: 1950 },
      { currency_code: "XOF", balance: 0 },
    ]);
    expect((await api(sandbox, "GET /accounts/balance?currency=EUR")).json).toHaveLength(1);
    expect((await api(sandbox, "GET /accounts/balance?currency=CFA")).status).toBe(400);
    expect(await balance(sandbox, { currency: "EUR", key: sandbox.keys.live.secret })).toBe(0);
  });

  it("a balance is never reported above JavaScript's largest safe integer", async () => {
    const sandbox = await openSandbox({ settings: { feeBps: 0 } });
    for (let count = 0; count < 3; count++) await payNewSession(sandbox, { amount: Number.MAX_SAFE_INTEGER });
    expect(await balance(sandbox)).toBe(Number.MAX_SAFE_INTEGER);
    expect((await api(sandbox, "GET /organizations")).status).toBe(200);
  });

  it("an account is read by its id with a key of its own environment only", async () => {
    const sandbox = await openSandbox();
    await moveMoney(sandbox, "/charge/wave", mobileCharge);
    const { json } = await api(sandbox, "GET /accounts");
    accountSchema.array().parse(json);
    expect(json).toMatchObject([{ currency_code: "XOF", balance: NET_OF_MOBILE_CHARGE, environment: "test" }]);
    const [{ account_id }] = json;
    expect((await api(sandbox, `GET /accounts/${account_id}`)).json).toEqual(json[0]);
    const key = sandbox.keys.live.secret;
    expect((await api(sandbox, `GET /accounts/${account_id}`, { key })).json.error.message).toBe("Account not found");
  });
});

describe("a payout", () => {
  it("a payout is debited when it is created and credited back when it fails", async () => {
    const sandbox = await openSandbox();
    await moveMoney(sandbox, "/charge/wave", mobileCharge);
    const { status, json } = await moveMoney(sandbox, "/payouts", payout);
    expect(status).toBe(201);
    payoutSchema.parse(json);
    expect(json).toMatchObject({ success: true, kind: "beneficiary", status: "pending" });
    expect(await balance(sandbox)).toBe(NET_OF_MOBILE_CHARGE - payout.amount);
    expect((await control(sandbox, `POST /payouts/${json.payout_id}/fail`)).json.status).toBe("failed");
    expect(await balance(sandbox)).toBe(NET_OF_MOBILE_CHARGE);
    expect((await control(sandbox, `POST /payouts/${json.payout_id}/complete`)).status).toBe(409);
    // The sandbox takes any UUID as a payout method.
    const withdrawal = (await moveMoney(sandbox, "/payouts", { ...payoutToSelf, payout_method_id: randomUUID() })).json;
    expect(withdrawal.kind).toBe("withdrawal");
    expect((await control(sandbox, `POST /payouts/${withdrawal.payout_id}/complete`)).json.status).toBe("completed");
    expect(await balance(sandbox)).toBe(NET_OF_MOBILE_CHARGE - payout.amount);
  });

  it("concurrent payouts never exceed the balance", async () => {
    const sandbox = await openSandbox();
    await moveMoney(sandbox, "/charge/wave", mobileCharge);
    const answers = await Promise.all(Array.from({ length: 10 }, () => moveMoney(sandbox, "/payouts", payout)));
    const affordable = Math.floor(NET_OF_MOBILE_CHARGE / payout.amount);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(affordable);
    expect(answers.find(({ status }) => status !== 201)?.json.error.code).toBe("amount_invalid");
    expect(await balance(sandbox)).toBe(NET_OF_MOBILE_CHARGE - affordable * payout.amount);
  });

  it("a mobile payout needs a live key, or a test key with the setting allowTestMobile", async () => {
    const sandbox = await openSandbox();
    await moveMoney(sandbox, "/charge/wave", mobileCharge);
    const refused = await moveMoney(sandbox, "/payouts", { ...payout, rail: "mtn" });
    expect([refused.status, refused.json.error.code]).toEqual([400, "bad_request"]);
    await sandbox.control.changeSettings({ payouts: { allowTestMobile: true } });
    expect((await moveMoney(sandbox, "/payouts", { ...payout, rail: "mtn" })).status).toBe(201);
    await sandbox.control.changeSettings({ payouts: { allowTestMobile: false } });
    const key = sandbox.keys.live.secret;
    const { json } = await moveMoney(sandbox, "/charge/wave", mobileCharge, { key });
    await sandbox.control.completeTransaction(json.transaction_id);
    expect((await moveMoney(sandbox, "/payouts", { ...payout, rail: "wave" }, { key })).status).toBe(201);
  });

  it("a payout needs a recipient or a payout method, and a known rail", async () => {
    const sandbox = await openSandbox();
    for (const [body, field] of [
      [{ ...payout, recipient: undefined }, "recipient"],
      [payoutToSelf, "payout_method_id"],
      [{ ...payout, rail: "cheque" }, "rail"],
    ] as const) {
      const { json } = await moveMoney(sandbox, "/payouts", body);
      expect([json.error.code, Object.keys(json.error.details)]).toEqual(["validation_failed", [field]]);
    }
  });

  it("a confirmation token of a payout is valid for its recipient only", async () => {
    const sandbox = await openSandbox({ settings: { confirmation: "required" } });
    await moveMoney(sandbox, "/charge/wave", mobileCharge);
    const { confirmation_token } = (await moveMoney(sandbox, "/payouts", payout)).json;
    const other = { ...payout, recipient: { ...recipient, phone: "+2250700000999" }, confirmation_token };
    expect((await moveMoney(sandbox, "/payouts", other)).status).toBe(400);
    expect((await moveMoney(sandbox, "/payouts", { ...payout, confirmation_token })).status).toBe(201);
  });
});

describe("an instant settlement", () => {
  const advance = { mode: "advance", amount: 1000, currency_code: "XOF" };

  it("an advance releases held card funds less its fee, and no more than is held", async () => {
    const sandbox = await openSandbox({ settings: { holdCardFunds: true } });
    await payNewSession(sandbox);
    await payNewSession(sandbox, {}, { method: "wave" });
    expect(await balance(sandbox)).toBe(NET_OF_SESSION);
    const { status, json } = await moveMoney(sandbox, "/settlements/instant", advance);
    expect(status).toBe(201);
    instantSettlementSchema.parse(json);
    expect(json).toMatchObject({ mode: "advance", amount: 1000, fee_amount: 10, net_amount: 990, payout_id: null });
    expect(await balance(sandbox)).toBe(NET_OF_SESSION + 990);
    const stillHeld = NET_OF_SESSION - advance.amount;
    const tooMuch = await moveMoney(sandbox, "/settlements/instant", { ...advance, amount: stillHeld + 1 });
    expect([tooMuch.status, tooMuch.json.error.code]).toEqual([400, "bad_request"]);
    expect((await moveMoney(sandbox, "/settlements/instant", { ...advance, amount: stillHeld })).status).toBe(201);
  });

  it("an advance is rejected when card funds are not held", async () => {
    const sandbox = await openSandbox();
    await payNewSession(sandbox);
    const { status, json } = await moveMoney(sandbox, "/settlements/instant", advance);
    expect([status, json.error.code]).toEqual([400, "bad_request"]);
  });

  it("a payout is settled instantly at most once, and never when it failed or belongs to another environment", async () => {
    const sandbox = await openSandbox();
    await payNewSession(sandbox);
    const { payout_id } = (await moveMoney(sandbox, "/payouts", payout)).json;
    const railSettlement = { ...advance, mode: "rail", payout_id };
    const { status, json } = await moveMoney(sandbox, "/settlements/instant", railSettlement);
    expect([status, json.fee_amount, json.payout_id]).toEqual([201, 10, payout_id]);
    expect(await balance(sandbox)).toBe(NET_OF_SESSION - payout.amount);
    expect((await moveMoney(sandbox, "/settlements/instant", railSettlement)).json.error.code).toBe("bad_request");
    const live = await moveMoney(sandbox, "/settlements/instant", railSettlement, { key: sandbox.keys.live.secret });
    expect(live.json.error.message).toBe("Payout not found");
    const { payout_id: failed } = (await moveMoney(sandbox, "/payouts", payout)).json;
    await control(sandbox, `POST /payouts/${failed}/fail`);
    expect((await moveMoney(sandbox, "/settlements/instant", { ...railSettlement, payout_id: failed })).status).toBe(
      400,
    );
  });
});
