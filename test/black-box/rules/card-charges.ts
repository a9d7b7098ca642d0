import { describe, expect, it } from "vitest";
import { type Answer, anId, expectInvalid, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { startService } from "../service.ts";
import { balanceOf, cardCharge, expectStatus, listen, netOfOrder, paymentEvents, readTransaction } from "../steps.ts";

describe("Direct charges by card", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const charge = async (call = service.call, change: object = {}) =>
    expectStatus(await call("POST /charge/card", { body: { ...cardCharge, ...change } }), 201);
  const read = (id: string, call = service.call) => call("GET /charge/card/{id}", { params: { id } });
  const confirm = (made: Answer, number: string) =>
    service.control(`POST /card-charges/${made.text("data.id")}/confirm`, { number });

  it("a new card charge has a client secret for the browser and waits for a payment method", async () => {
    const made = await charge();
    const id = made.text("data.id");
    const secret = made.text("data.client_secret");
    expect(secret).toMatch(new RegExp(`^${id}_secret_`));
    expect(made.body).toMatchObject({
      success: true,
      next_action: { type: "client_secret", client_secret: secret },
      data: { original_amount: 5000, original_currency: "XOF", status: "requires_payment_method" },
    });
  });

  it("a card charge is read in the same shape as it was created", async () => {
    const made = await charge();
    const answer = await read(made.text("data.id"));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      data: { id: made.text("data.id"), original_amount: 5000, original_currency: "XOF" },
    });
  });

  it("an XOF amount is charged in EUR, and the charge keeps the original amount", async () => {
    const made = await charge();
    expect(made.text("data.currency")).toBe("eur");
    expect(made.number("data.amount")).not.toBe(5000);
    const euros = await charge(service.call, { currency_code: "EUR", amount: 1524 });
    expect(euros.body).toMatchObject({
      data: { amount: 1524, currency: "eur", original_amount: 1524, original_currency: "EUR" },
    });
  });

  it("a card charge accepts currency as an older alias of currency_code", async () => {
    const made = await charge(service.call, { currency_code: undefined, currency: "USD" });
    expect(made.text("data.original_currency")).toBe("USD");
  });

  it.each([
    ["4242424242424242", "succeeded", "completed", "PAYMENT_SUCCEEDED"],
    ["4000000000000002", "requires_payment_method", "failed", "PAYMENT_FAILED"],
  ])(
    "a card charge confirmed with %s is %s, its transaction is %s, and %s is sent",
    async (number, chargeStatus, status, event) => {
      const shop = await service.merchant();
      const { receiver } = await listen(service, shop.call, paymentEvents);
      const made = await charge(shop.call);
      await confirm(made, number);
      const answer = await read(made.text("data.id"), shop.call);
      expect(answer.text("data.status")).toBe(chargeStatus);
      const transaction = await readTransaction(shop.call, answer.text("data.transaction_id"));
      expect(transaction.body).toMatchObject({
        status,
        gross_amount: 5000,
        currency_code: "XOF",
        provider_code: "CARD",
        payment_method_code: "CARDS",
      });
      await receiver.wait(1, event);
    },
  );

  it("a completed card charge reaches the balance at once", async () => {
    const shop = await service.merchant();
    await confirm(await charge(shop.call), "4242424242424242");
    expect(await balanceOf(shop)).toBe(netOfOrder);
  });

  it("a challenged card requires an action", async () => {
    const made = await charge();
    await confirm(made, "4000002500003155");
    expect((await read(made.text("data.id"))).text("data.status")).toBe("requires_action");
  });

  it("a card charge needs customer_id, or both customer_email and customer_name", async () => {
    const post = (change: object) => service.call("POST /charge/card", { body: { ...cardCharge, ...change } });
    expect((await post({ customer_email: undefined })).status).toBe(400);
    expect((await post({ customer_name: undefined })).status).toBe(400);
    const none = { customer_email: undefined, customer_name: undefined };
    expectRefusal(await post(none), 400, "validation_failed");
    const customer_id = (await service.call("POST /customers", { body: { name: "Awa" } })).text("customer_id");
    expect((await post({ ...none, customer_id })).status).toBe(201);
    expectRefusal(await post({ ...none, customer_id: unknownId }), 404, "not_found");
  });

  it("a card charge keeps the requested appearance", async () => {
    const made = await charge(service.call, {
      appearance_theme: "dark",
      appearance_border_radius: 8,
      appearance_billing_address: "never",
    });
    expect(made.text("data.appearance.theme")).toBe("dark");
    expect((await charge()).text("data.appearance.theme")).toBe("light");
    const wrong = { ...cardCharge, appearance_theme: "purple" };
    expectInvalid(await service.call("POST /charge/card", { body: wrong }), "appearance_theme");
  });

  it("a card charge copies its metadata to the transaction", async () => {
    const shop = await service.merchant();
    const made = await charge(shop.call, { metadata: { order_id: "1042" }, payment_reference: "1042", quantity: 2 });
    await confirm(made, "4242424242424242");
    const transactionId = (await read(made.text("data.id"), shop.call)).text("data.transaction_id");
    expect(transactionId).toEqual(anId);
    expect((await readTransaction(shop.call, transactionId)).body).toMatchObject({ metadata: { order_id: "1042" } });
  });

  it("a card charge ignores X-Scenario-Key", async () => {
    const headers = { "X-Scenario-Key": "failed" };
    expect((await service.call("POST /charge/card", { body: cardCharge, headers })).status).toBe(201);
  });

  it("a card charge that is unknown or belongs to another merchant gives 404 not_found", async () => {
    expectRefusal(await read("pi_22222222222222"), 404, "not_found");
    const otherMerchant = await service.merchant();
    const id = (await charge()).text("data.id");
    expectRefusal(await read(id, otherMerchant.call), 404, "not_found");
  });

  it("a card charge gives 503 service_unavailable when the rail is muted", async () => {
    const answer = await service.withSettings({ mute: ["card"] }, () =>
      service.call("POST /charge/card", { body: cardCharge }),
    );
    expectRefusal(answer, 503, "service_unavailable", /temporarily unavailable/);
  });
});
