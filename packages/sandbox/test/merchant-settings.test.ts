import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { cardForm, inputTag, openBrowser, type Page, waveForm } from "./open-browser.ts";
import { openNetwork } from "./open-network.ts";
import {
  type ApiResponse,
  api,
  control,
  type Json,
  newSession,
  openSandbox,
  order,
  sessionCount,
} from "./open-sandbox.ts";
import { cardCharge, mobileCharge, moveMoney } from "./payments.ts";

/** Changes the settings of the merchant with `organizationId`, by default of the sandbox's first merchant. */
async function changeMerchant(sandbox: Sandbox, change: Json, organizationId?: string): Promise<ApiResponse> {
  const [first] = (await api(sandbox, "GET /organizations")).json;
  return control(sandbox, `PATCH /organizations/${organizationId ?? first.organization_id}`, change);
}

const offeredOn = ({ text }: Page) =>
  ["wave", "mtn", "card"].filter((method) => text.includes(`id="method-${method}"`));

const connectedIn = ({ json }: ApiResponse) =>
  json.filter((row: Json) => row.is_connected).map((row: Json) => row.provider_code);

describe("the connected providers of a merchant", () => {
  it("connected providers determine GET /providers and the methods of the hosted page", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const changed = await changeMerchant(sandbox, { providers: ["CARD", "WAVE"] });
    expect([changed.status, changed.json.providers]).toEqual([200, ["CARD", "WAVE"]]);
    expect(connectedIn(await api(sandbox, "GET /providers"))).toEqual(["CARD", "WAVE"]);
    expect(offeredOn(await openBrowser().open(session.checkout_url))).toEqual(["wave", "card"]);
    const dollars = await newSession(sandbox, { amount: 1999, currency_code: "USD" });
    expect(offeredOn(await openBrowser().open(dollars.checkout_url))).toEqual(["card"]);
  });

  it("a delegated session offers the providers of the member", async () => {
    const sandbox = await openSandbox();
    const { callForMember, callAsOperator, callAsMember, member } = await openNetwork(sandbox);
    await changeMerchant(sandbox, { providers: ["MTN"] }, member.organization_id);
    const { json } = await callForMember("POST /checkout-sessions", order);
    expect(offeredOn(await openBrowser().open(json.checkout_url))).toEqual(["mtn"]);
    expect(connectedIn(await callAsMember("GET /providers"))).toEqual(["MTN"]);
    expect(connectedIn(await callAsOperator("GET /providers"))).toEqual(["CARD", "WAVE", "MTN"]);
    const session = (await callAsOperator("POST /checkout-sessions", order)).json;
    expect(offeredOn(await openBrowser().open(session.checkout_url))).toEqual(["wave", "mtn", "card"]);
  });

  it("a session cannot be paid by an unconnected provider", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await changeMerchant(sandbox, { providers: ["CARD"] });
    const page = await openBrowser().submit(session.checkout_url, waveForm("+2250700000123"));
    expect([page.status, offeredOn(page)]).toEqual([422, ["card"]]);
    const payment = { method: "wave", outcome: "completed" };
    const { status, json } = await control(sandbox, `POST /checkout-sessions/${session.id}/pay`, payment);
    expect([status, json.error.code]).toEqual([400, "bad_request"]);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(0);
    const paid = await openBrowser().submit(session.checkout_url, cardForm("4242424242424242"));
    expect(paid.location).toContain("https://shop.example/return");
  });

  it("a direct charge needs a connected provider", async () => {
    const sandbox = await openSandbox();
    await changeMerchant(sandbox, { providers: ["MTN"] });
    for (const [method, body] of Object.entries({ wave: mobileCharge, card: cardCharge })) {
      const { status, json } = await moveMoney(sandbox, `/charge/${method}`, body);
      expect([status, json.error.code]).toEqual([400, "bad_request"]);
      expect(json.error.message).toBe(
        `The provider ${method.toUpperCase()} is not connected: connect it to charge by ${method}`,
      );
    }
    expect((await moveMoney(sandbox, "/charge/mtn", mobileCharge)).status).toBe(201);
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(1);
  });

  it("a page without any payment method shows a message and a link back to the shop", async () => {
    const sandbox = await openSandbox();
    await changeMerchant(sandbox, { providers: ["WAVE", "MTN"] });
    const { checkout_url } = await newSession(sandbox, { amount: 1999, currency_code: "USD" });
    const page = await openBrowser().open(checkout_url);
    expect([page.status, offeredOn(page)]).toEqual([200, []]);
    expect(page.text).toContain("No payment method is available for this payment.");
    expect(page.text).toContain('<a href="https://shop.example/cart">');
    expect(page.text).not.toContain("<form");
    const pressed = await openBrowser().submit(checkout_url, cardForm("4242424242424242"));
    expect([pressed.status, pressed.location]).toEqual([303, checkout_url]);
  });

  it("unknown providers are rejected, and connected providers survive a reset", async () => {
    const sandbox = await openSandbox();
    const { status, json } = await changeMerchant(sandbox, { providers: ["CARD", "SPI"] });
    expect([status, json.error.message]).toEqual([
      400,
      'Invalid value for "providers.1": must be one of CARD, WAVE, MTN.',
    ]);
    await changeMerchant(sandbox, { providers: ["WAVE"] });
    await control(sandbox, "POST /reset");
    expect(connectedIn(await api(sandbox, "GET /providers"))).toEqual(["WAVE"]);
    await changeMerchant(sandbox, { name: "New name" });
    expect(connectedIn(await api(sandbox, "GET /providers"))).toEqual(["WAVE"]);
  });
});

describe("the page settings of a merchant", () => {
  const pageFields = ["name", "email", "phone", "address", "city", "postal_code", "country"];
  const askedFor = async ({ checkout_url }: Json) => {
    const page = await openBrowser().open(checkout_url);
    return pageFields.filter((name) => inputTag(page, name) !== null);
  };

  it("page settings apply to sessions that omit the flags, and the flags of a session override them", async () => {
    const sandbox = await openSandbox();
    const before = await newSession(sandbox);
    await changeMerchant(sandbox, { page: { require_email: false, require_billing_address: true } });
    const session = await newSession(sandbox);
    expect(session).toMatchObject({ require_name: true, require_email: false, require_billing_address: true });
    expect(await askedFor(session)).toEqual(["name", "address", "city", "postal_code", "country"]);
    const withFlags = await newSession(sandbox, { require_email: true, require_billing_address: false });
    expect(await askedFor(withFlags)).toEqual(["name", "email", "phone"]);
    const withFields = await newSession(sandbox, { fields: [{ key: "billing_address", visibility: "hidden" }] });
    expect(await askedFor(withFields)).toEqual(["name"]);
    expect(await askedFor(before)).toEqual(["name", "email", "phone"]);
  });

  it("omitted page settings keep their values, and other merchants are not affected", async () => {
    const sandbox = await openSandbox();
    const { callForMember, callAsOperator, member } = await openNetwork(sandbox);
    await changeMerchant(sandbox, { page: { require_phone: true } }, member.organization_id);
    const { json } = await changeMerchant(sandbox, { page: { require_name: false } }, member.organization_id);
    expect(json.page).toEqual({ require_name: false, require_phone: true });
    const flags = { require_name: false, require_phone: true, require_email: true };
    expect((await callForMember("POST /checkout-sessions", order)).json).toMatchObject(flags);
    expect((await callAsOperator("POST /checkout-sessions", order)).json).toMatchObject({ require_name: true });
    const wrong = await changeMerchant(sandbox, { page: { require_fax: true } });
    expect([wrong.status, wrong.json.error.message]).toEqual([400, 'Unknown field "page.require_fax".']);
  });
});

describe("the list of fields of a session", () => {
  it("the page and its list of problems follow the field order of the session, and other fields are last", async () => {
    const sandbox = await openSandbox();
    const { checkout_url } = await newSession(sandbox, {
      require_billing_address: true,
      fields: [
        { key: "billing_address", order: 1 },
        { key: "email", order: 2 },
      ],
    });
    const names = (text: string) =>
      [...text.matchAll(/<input id="(name|email|phone|address|city|postal_code|country)"/g)].map(([, name]) => name);
    const expected = ["address", "city", "postal_code", "country", "email", "name", "phone"];
    const page = await openBrowser().open(checkout_url);
    expect(names(page.text)).toEqual(expected);
    const wrong = await openBrowser().submit(checkout_url, { method: "wave", mobile_phone: "+2250700000123" });
    // The postal code and the phone number are optional.
    expect([...wrong.text.matchAll(/<li><a href="#(\w+)">/g)].map(([, name]) => name)).toEqual([
      "address",
      "city",
      "country",
      "email",
      "name",
    ]);
  });
});

describe("the unpaid invoice of a customer", () => {
  it("a blocking invoice is returned in place of a session, for its customer and until it is removed", async () => {
    const sandbox = await openSandbox();
    const body = { name: "Awa Diop", email: "awa@example.test" };
    const { customer_id } = (await api(sandbox, "POST /customers", { body })).json;
    const invoice = {
      invoice_id: "inv_1",
      invoice_number: "2026-0007",
      amount_remaining: 5000,
      currency_code: "XOF",
      checkout_url: "https://pay.example/invoices/inv_1",
    };
    await changeMerchant(sandbox, { blocking_invoice: { customer_id, ...invoice } });
    const blocked = await api(sandbox, "POST /checkout-sessions", { body: { ...order, customer_id } });
    expect([blocked.status, blocked.json]).toEqual([
      201,
      { payment_required: true, reason: "invoice_payment_required", blocking_invoice: invoice },
    ]);
    expect(await sessionCount(sandbox)).toBe(0);
    expect((await newSession(sandbox)).status).toBe("open");
    const live = { key: sandbox.keys.live.secret, body: { ...order, customer_id } };
    expect((await api(sandbox, "POST /checkout-sessions", live)).status).toBe(404);
    await changeMerchant(sandbox, { blocking_invoice: null });
    expect((await newSession(sandbox, { customer_id })).customer_id).toBe(customer_id);
  });

  it("an incomplete blocking invoice is rejected", async () => {
    const sandbox = await openSandbox();
    const { status, json } = await changeMerchant(sandbox, { blocking_invoice: { customer_id: "c" } });
    expect([status, json.error.code]).toEqual([400, "bad_request"]);
    expect(json.error.message).toContain('Invalid value for "blocking_invoice.invoice_id": must be a text');
  });
});
