import { cardChargeSchema, mtnChargeSchema, waveChargeSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { api, control, type Json, openSandbox } from "./open-sandbox.ts";
import { balance, cardCharge, eventNames, mobileCharge, moveMoney, NET_OF_MOBILE_CHARGE } from "./payments.ts";

const scenario = (name: string) => ({ headers: { "X-Scenario-Key": name } });
const visit = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init });
const press = (url: string, answer: string) => visit(url, { method: "POST", body: new URLSearchParams({ answer }) });

describe("a mobile-money charge", () => {
  it("a mobile charge with a test key completes at once, with transaction, customer, balance and events", async () => {
    const sandbox = await openSandbox();
    for (const rail of ["wave", "mtn"]) {
      const { status, json } = await moveMoney(sandbox, `/charge/${rail}`, {
        ...mobileCharge,
        metadata: { order_id: "7" },
      });
      expect(status).toBe(201);
      (rail === "wave" ? waveChargeSchema : mtnChargeSchema).parse(json);
      const id = rail === "wave" ? json.transaction_id : json.data.transaction_id;
      const { json: transaction } = await api(sandbox, `GET /transactions/${id}`);
      expect(transaction).toMatchObject({
        status: "completed",
        gross_amount: 5000,
        net_amount: NET_OF_MOBILE_CHARGE,
        provider_code: rail.toUpperCase(),
        checkout_session_id: null,
        description: "Order 1042",
        metadata: { order_id: "7" },
      });
    }
    expect(await balance(sandbox)).toBe(2 * NET_OF_MOBILE_CHARGE);
    const { json: customers } = await api(sandbox, "GET /customers");
    expect(customers.data).toMatchObject([{ name: "Awa Diop", phone_number: "+2250700000123" }]);
    expect(await eventNames(sandbox)).toEqual([
      "PAYMENT_CREATED",
      "PAYMENT_SUCCEEDED",
      "PAYMENT_CREATED",
      "PAYMENT_SUCCEEDED",
    ]);
  });

  it("a mobile charge with a live key is pending and ignores X-Scenario-Key", async () => {
    const sandbox = await openSandbox();
    const key = sandbox.keys.live.secret;
    const wave = await moveMoney(sandbox, "/charge/wave", mobileCharge, { key, ...scenario("failed") });
    const mtn = await moveMoney(sandbox, "/charge/mtn", mobileCharge, { key });
    expect([wave.json.status, mtn.json.data.status]).toEqual(["pending", "PENDING"]);
    await control(sandbox, `POST /transactions/${mtn.json.data.transaction_id}/complete`);
    expect(await balance(sandbox, { key })).toBe(NET_OF_MOBILE_CHARGE);
    expect(await balance(sandbox)).toBe(0);
  });

  it("X-Scenario-Key makes a mobile charge pending or failed, and other values are rejected", async () => {
    const sandbox = await openSandbox();
    const pending = await moveMoney(sandbox, "/charge/mtn", mobileCharge, scenario("pending"));
    expect(pending.json).toMatchObject({ data: { status: "PENDING" }, next_action: { status: "PENDING" } });
    await sandbox.control.advanceClock(86_400_000);
    const { json } = await api(sandbox, `GET /transactions/${pending.json.data.transaction_id}`);
    expect(json.status).toBe("pending");
    const failed = await moveMoney(sandbox, "/charge/wave", mobileCharge, scenario("failed"));
    expect([failed.status, failed.json.error.code]).toEqual([400, "bad_request"]);
    const other = await moveMoney(sandbox, "/charge/wave", mobileCharge, scenario("slow"));
    expect([other.status, other.json.error.code]).toEqual([400, "validation_failed"]);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(1);
    expect(await eventNames(sandbox)).toEqual(["PAYMENT_CREATED"]);
  });

  it("an Idempotency-Key that is repeated with another X-Scenario-Key is a conflict", async () => {
    const sandbox = await openSandbox();
    const keyHeader = { "Idempotency-Key": "charge:1" };
    await moveMoney(sandbox, "/charge/wave", mobileCharge, { headers: { ...keyHeader, "X-Scenario-Key": "pending" } });
    const { status, json } = await moveMoney(sandbox, "/charge/wave", mobileCharge, { headers: keyHeader });
    expect([status, json.error.code]).toEqual([409, "idempotency_key_reused"]);
  });

  it("a mobile charge needs francs, at least 100 by Wave, and a valid phone number", async () => {
    const sandbox = await openSandbox();
    for (const [rail, fields, code] of [
      ["wave", { amount: 99 }, "amount_invalid"],
      ["wave", { currency: "EUR" }, "validation_failed"],
      ["mtn", { currency: "USD" }, "validation_failed"],
      ["mtn", { customer: { name: "Awa", phoneNumber: "0700000123" } }, "validation_failed"],
      ["mtn", { amount: "5000" }, "validation_failed"],
      ["mtn", { productId: "prod_1" }, "not_found"],
      ["mtn", { subscriptionId: "3fa85f64-5717-4562-b3fc-2c963f66afa6" }, "not_found"],
    ] as const) {
      const { json } = await moveMoney(sandbox, `/charge/${rail}`, { ...mobileCharge, ...fields });
      expect([rail, fields, json.error?.code]).toEqual([rail, fields, code]);
    }
    expect((await moveMoney(sandbox, "/charge/mtn", { ...mobileCharge, amount: 1 })).status).toBe(201);
  });

  it("a Wave charge opens a page on which the customer approves or refuses", async () => {
    const sandbox = await openSandbox();
    const returnUrls = { successUrl: "https://shop.example/thanks", errorUrl: "https://shop.example/sorry" };
    const charge = async () =>
      (await moveMoney(sandbox, "/charge/wave", { ...mobileCharge, ...returnUrls }, scenario("pending"))).json;
    const paid = await charge();
    const page = await visit(paid.wave_launch_url, { headers: { "Accept-Language": "en" } });
    // A narrow no-break space separates the thousands.
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("5\u202f000")]);
    const approved = await press(paid.wave_launch_url, "approve");
    expect([approved.status, approved.headers.get("location")]).toEqual([303, returnUrls.successUrl]);
    expect((await api(sandbox, `GET /transactions/${paid.transaction_id}`)).json.status).toBe("completed");
    expect((await press(paid.wave_launch_url, "refuse")).headers.get("location")).toBe(returnUrls.successUrl);
    expect(await (await visit(paid.wave_launch_url)).text()).toContain(returnUrls.successUrl);
    const refused = await charge();
    expect((await press(refused.checkout_url, "refuse")).headers.get("location")).toBe(returnUrls.errorUrl);
    const { json } = await api(sandbox, `GET /transactions/${refused.transaction_id}`);
    expect(json).toMatchObject({ status: "failed", failure_code: "customer_rejected" });
    expect(await (await visit(refused.checkout_url)).text()).toContain(returnUrls.errorUrl);
    expect((await visit(`${sandbox.baseUrl}/wave/wv_22222222222222`)).status).toBe(404);
  });
});

describe("a card charge", () => {
  const open = async (sandbox: Sandbox, fields: Json = {}) =>
    (await moveMoney(sandbox, "/charge/card", { ...cardCharge, ...fields })).json;
  const confirm = (sandbox: Sandbox, charge: Json, number: string) =>
    control(sandbox, `POST /card-charges/${charge.data.id}/confirm`, { number });

  it("a card charge is pending until a card is confirmed, and francs are charged in euros", async () => {
    const sandbox = await openSandbox();
    const { status, json } = await moveMoney(sandbox, "/charge/card", { ...cardCharge, appearance_theme: "dark" });
    expect(status).toBe(201);
    cardChargeSchema.parse(json);
    expect(json.data).toMatchObject({
      amount: 1524, // 10,000 francs in cents: a euro is 655.957 francs
      currency: "eur",
      original_amount: 10_000,
      original_currency: "XOF",
      status: "requires_payment_method",
      appearance: { theme: "dark" },
    });
    expect(json.data).not.toHaveProperty("transaction_id");
    const read = await api(sandbox, `GET /charge/card/${json.data.id}`);
    cardChargeSchema.parse(read.json);
    expect((await api(sandbox, `GET /transactions/${read.json.data.transaction_id}`)).json.status).toBe("pending");
    expect(await eventNames(sandbox)).toEqual(["PAYMENT_CREATED"]);
  });

  it("a card charge can succeed after a declined card, and each attempt is one transaction", async () => {
    const sandbox = await openSandbox();
    const charge = await open(sandbox, { metadata: { order_id: "7" }, payment_reference: "R7", quantity: 2 });
    const declined = await confirm(sandbox, charge, "4000 0000 0000 9995");
    expect(declined.json.data.status).toBe("requires_payment_method");
    const first = await api(sandbox, `GET /transactions/${declined.json.data.transaction_id}`);
    expect(first.json).toMatchObject({ status: "failed", failure_code: "insufficient_funds" });
    const done = await confirm(sandbox, charge, "4242424242424242");
    expect(done.json).toMatchObject({ data: { status: "succeeded" }, next_action: null });
    const second = await api(sandbox, `GET /transactions/${done.json.data.transaction_id}`);
    expect(second.json).toMatchObject({
      status: "completed",
      gross_amount: 10_000,
      currency_code: "XOF",
      provider_code: "CARD",
      quantity: 2,
      metadata: { order_id: "7", payment_reference: "R7" },
    });
    expect(second.json.transaction_id).not.toBe(first.json.transaction_id);
    expect(await balance(sandbox)).toBe(9750);
    expect((await confirm(sandbox, charge, "4242424242424242")).status).toBe(409);
    expect((await eventNames(sandbox)).slice(1)).toEqual(["PAYMENT_FAILED", "PAYMENT_CREATED", "PAYMENT_SUCCEEDED"]);
  });

  it("a card charge with a challenge requires an action until the control API completes the charge", async () => {
    const sandbox = await openSandbox();
    const charge = await open(sandbox);
    const asked = await confirm(sandbox, charge, "4000002500003155");
    expect(asked.json.data.status).toBe("requires_action");
    await control(sandbox, `POST /transactions/${asked.json.data.transaction_id}/complete`);
    expect((await api(sandbox, `GET /charge/card/${charge.data.id}`)).json.data.status).toBe("succeeded");
  });

  it("a card charge accepts test cards only and never returns the card number", async () => {
    const sandbox = await openSandbox();
    // Other services have this test card, but this service does not.
    const { status, text } = await confirm(sandbox, await open(sandbox), "4111111111111111");
    expect(status).toBe(400);
    expect(text).not.toContain("4111");
    expect((await confirm(sandbox, { data: { id: "pi_22222222222222" } }, "4242424242424242")).status).toBe(404);
  });

  it("a card charge needs a customer, the minimum amount, and existing ids", async () => {
    const sandbox = await openSandbox();
    const withoutCustomer = { customer_name: undefined };
    for (const [fields, code] of [
      [withoutCustomer, "validation_failed"],
      [{ customer_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6" }, "not_found"],
      [{ product_id: "prod_1" }, "not_found"],
      [{ amount: 999 }, "amount_invalid"],
      [{ amount: 49, currency_code: "USD" }, "amount_invalid"],
      [{ currency_code: undefined }, "validation_failed"],
    ] as const) {
      const { json } = await moveMoney(sandbox, "/charge/card", { ...cardCharge, ...fields });
      expect([fields, json.error?.code]).toEqual([fields, code]);
    }
    const { json } = await api(sandbox, "POST /customers", { body: { name: "Moussa" } });
    const euros = { amount: 50, currency_code: undefined, currency: "EUR", customer_id: json.customer_id };
    expect((await open(sandbox, { ...withoutCustomer, ...euros })).data).toMatchObject({ amount: 50, currency: "eur" });
  });

  it("a card charge of the test environment is 404 for the live key", async () => {
    const sandbox = await openSandbox();
    const { data } = await open(sandbox);
    const live = await api(sandbox, `GET /charge/card/${data.id}`, { key: sandbox.keys.live.secret });
    expect([live.status, live.json.error.message]).toEqual([404, "Card charge not found"]);
  });
});

describe("muted payment methods", () => {
  it("a muted payment method answers 503 to new charges and replays earlier responses", async () => {
    const sandbox = await openSandbox();
    const headers = { "Idempotency-Key": "before" };
    const before = await moveMoney(sandbox, "/charge/wave", mobileCharge, { headers });
    await sandbox.control.changeSettings({ mute: ["wave", "card"] });
    for (const [path, body] of [
      ["/charge/wave", mobileCharge],
      ["/charge/card", cardCharge],
    ] as const) {
      const { status, json } = await moveMoney(sandbox, path, body);
      expect([status, json.error.code]).toEqual([503, "service_unavailable"]);
      expect(json.error.message).toContain("temporarily unavailable");
    }
    expect((await moveMoney(sandbox, "/charge/wave", mobileCharge, { headers })).text).toBe(before.text);
    expect((await moveMoney(sandbox, "/charge/mtn", mobileCharge)).status).toBe(201);
  });

  it("POST /charge/switch answers 503 to every body, once the API key and the rate limit are checked", async () => {
    const sandbox = await openSandbox();
    for (const options of [{}, { body: "{" }, { headers: { "Service-Account": "acct_x", "Service-Version": "9" } }]) {
      const { status, json, headers } = await api(sandbox, "POST /charge/switch", options);
      expect([status, json.error.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("x-ratelimit-limit")).toBe("120");
    }
    expect((await api(sandbox, "POST /charge/switch", { key: null })).status).toBe(401);
  });
});
