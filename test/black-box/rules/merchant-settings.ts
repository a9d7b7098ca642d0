import { describe, expect, it } from "vitest";
import { startService } from "../service.ts";
import { order } from "../steps.ts";

describe("Merchant settings", () => {
  const service = startService();

  it("GET /providers shows which providers are connected, and the hosted page offers those of them that take the currency", async () => {
    const shop = await service.merchant();
    await service.control(`PATCH /organizations/${shop.organizationId}`, { providers: ["CARD", "WAVE"] });
    const connected = (await shop.call("GET /providers")).rows().filter((row) => row.is_connected === true);
    expect(connected.map((row) => row.provider_code)).toEqual(["CARD", "WAVE"]);
    const francs = await shop.call("POST /checkout-sessions", { body: order });
    const dollars = await shop.call("POST /checkout-sessions", { body: { ...order, currency_code: "USD" } });
    const [francPage, dollarPage] = await Promise.all(
      [francs, dollars].map(async (session) => (await fetch(session.text("checkout_url"))).text()),
    );
    expect(francPage).toMatch(/value="wave"/);
    expect(francPage).not.toMatch(/value="mtn"/);
    expect(dollarPage).toMatch(/value="card"/);
    expect(dollarPage).not.toMatch(/value="wave"/);
  });

  it("a page flag comes from the session, else from the organization, else from the defaults", async () => {
    const shop = await service.merchant();
    await service.control(`PATCH /organizations/${shop.organizationId}`, { page: { require_phone: true } });
    const withoutFlag = await shop.call("POST /checkout-sessions", { body: order });
    expect(withoutFlag.body).toMatchObject({ require_phone: true, require_name: true, require_email: true });
    const withFlag = await shop.call("POST /checkout-sessions", { body: { ...order, require_phone: false } });
    expect(withFlag.body).toMatchObject({ require_phone: false });
  });

  it("a customer with a blocking unpaid invoice gets 201 and no session", async () => {
    const shop = await service.merchant();
    const customer = (await shop.call("POST /customers", { body: { name: "Awa" } })).text("customer_id");
    const invoice = {
      invoice_id: "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
      invoice_number: "INV-7",
      amount_remaining: 9000,
      currency_code: "XOF",
      checkout_url: "https://pay.service.example/invoice",
    };
    await service.control(`PATCH /organizations/${shop.organizationId}`, {
      blocking_invoice: { customer_id: customer, ...invoice },
    });
    const answer = await shop.call("POST /checkout-sessions", { body: { ...order, customer_id: customer } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      payment_required: true,
      reason: "invoice_payment_required",
      blocking_invoice: invoice,
    });
  });
});
