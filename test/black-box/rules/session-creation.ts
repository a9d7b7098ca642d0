import { describe, expect, it } from "vitest";
import { expectInvalid, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { startService } from "../service.ts";
import { openSession, order } from "../steps.ts";

describe("Creating a checkout session", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const create = (change: object) => service.call("POST /checkout-sessions", { body: { ...order, ...change } });

  it("creating a session gives 201 with a checkout URL for the hosted page", async () => {
    const session = await openSession(service.call);
    expect(session.text("status")).toBe("open");
    expect((await fetch(session.text("checkout_url"))).status).toBe(200);
  });

  it("a session stores and returns every field of an order", async () => {
    const fields = {
      amount: 25000,
      currency_code: "XOF",
      title: "Order 1042",
      description: "Two boubous",
      success_url: "https://shop.example/return?o=1042",
      cancel_url: "https://shop.example/cart",
      customer_email: "awa@example.test",
      customer_name: "Awa D.",
      customer_phone: "+2250700000000",
      quantity: 2,
      allow_quantity: true,
      allow_coupon_code: true,
      require_name: false,
      require_email: true,
      require_phone: true,
      require_billing_address: true,
      metadata: { order_id: "1042" },
    };
    expect((await openSession(service.call, fields)).body).toMatchObject(fields);
  });

  it("the amount is already the subtotal, so a quantity does not multiply it", async () => {
    expect((await openSession(service.call, { amount: 5000, quantity: 3 })).number("amount")).toBe(5000);
  });

  it("cancel_url, success_url, title and description are optional", async () => {
    const session = await openSession(service.call, { title: undefined });
    expect(session.body).toMatchObject({ title: null, description: null, success_url: null, cancel_url: null });
  });

  it("a missing amount gives 400 validation_failed that names the field", async () => {
    expectInvalid(await create({ amount: undefined }), "amount");
  });

  it("a missing currency falls back to the organization's default_currency", async () => {
    const shop = await service.merchant();
    const session = await openSession(shop.call, { currency_code: undefined });
    const [organization] = (await shop.call("GET /organizations")).rows();
    expect(session.text("currency_code")).toBe(organization?.default_currency);
  });

  it.each([
    ["title", 1042],
    ["success_url", "/return"],
    ["success_url", "ftp://shop.example/return"],
    ["success_url", "javascript:alert(1)"],
    ["cancel_url", "shop.example"],
    ["cancel_url", ""],
    ["customer_id", "not-a-uuid"],
    ["customer_email", "awa"],
    ["customer_email", ""],
    ["customer_name", ""],
    ["customer_phone", ""],
    ["customer_address", ""],
    ["customer_city", ""],
    ["customer_country", ""],
    ["customer_postal_code", ""],
    ["customer_name", 5],
    ["allow_quantity", "yes"],
    ["allow_coupon_code", 1],
    ["quantity", 0],
    ["quantity", 1.5],
    ["quantity", "2"],
    ["require_name", "false"],
    ["require_email", 0],
    ["require_phone", null],
    ["require_billing_address", "no"],
    ["fields", "name"],
    ["metadata", "order 1042"],
    ["metadata", ["1042"]],
    ["integration_source", "medusa"],
    ["line_items", "one"],
  ])("%s %j gives 400 validation_failed that names the field", async (field, value) => {
    expectInvalid(await create({ [field]: value }), field);
  });

  it("a title has up to 255 characters, a description up to 1000", async () => {
    const longest = { title: "x".repeat(255), description: "y".repeat(1000) };
    expect((await openSession(service.call, longest)).body).toMatchObject(longest);
    expectInvalid(await create({ title: `${longest.title}x` }), "title");
    expectInvalid(await create({ description: `${longest.description}y` }), "description");
  });

  it("success_url may hold the placeholder {CHECKOUT_SESSION_ID}, which is kept as it is", async () => {
    const success_url = "https://shop.example/return?session={CHECKOUT_SESSION_ID}";
    expect((await openSession(service.call, { success_url })).text("success_url")).toBe(success_url);
  });

  it("a plain http return URL is allowed", async () => {
    expect((await create({ success_url: "http://127.0.0.1:3000/return" })).status).toBe(201);
  });

  it.each(["customer_id", "product_id", "price_id", "subscription_id", "payment_link_id"])(
    "%s of something that does not exist gives 404 not_found",
    async (field) => {
      expectRefusal(await create({ [field]: unknownId }), 404, "not_found", / not found$/);
    },
  );

  it("the customer_id of an existing customer is stored with the session", async () => {
    const customer_id = (await service.call("POST /customers", { body: { name: "Awa" } })).text("customer_id");
    expect((await openSession(service.call, { customer_id })).text("customer_id")).toBe(customer_id);
  });

  it("another organization's customer gives 404 not_found", async () => {
    const shop = await service.merchant();
    const customer_id = (await shop.call("POST /customers", { body: { name: "Awa" } })).text("customer_id");
    expectRefusal(await create({ customer_id }), 404, "not_found");
  });

  it("name, e-mail and phone may not all be hidden unless the customer is named", async () => {
    const hidden = { require_name: false, require_email: false, require_phone: false };
    expectRefusal(await create(hidden), 400, "validation_failed");
    expect((await create({ ...hidden, customer_name: "Awa" })).status).toBe(201);
    const customer_id = (await service.call("POST /customers", { body: { name: "Awa" } })).text("customer_id");
    expect((await create({ ...hidden, customer_id })).status).toBe(201);
  });

  it("the requirements default to name and e-mail", async () => {
    expect((await openSession(service.call)).body).toMatchObject({
      require_name: true,
      require_email: true,
      require_phone: false,
      require_billing_address: false,
      allow_quantity: false,
      allow_coupon_code: false,
      quantity: 1,
    });
  });

  it("fields accepts an ordered list", async () => {
    const fields = [{ key: "email", scope: "customer", type: "email", visibility: "required", order: 1 }];
    expect((await create({ fields })).status).toBe(201);
  });

  it("metadata is free-form within 50 keys, 64 characters a key, 1000 a value", async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, "x"]));
    const largest = { ...many(49), ["k".repeat(64)]: "v".repeat(1000) };
    expect((await openSession(service.call, { metadata: largest })).body).toMatchObject({ metadata: largest });
    const nested = { cart: { lines: [1, 2] }, paid: false, nothing: null };
    expect((await openSession(service.call, { metadata: nested })).body).toMatchObject({ metadata: nested });
    for (const metadata of [many(51), { ["k".repeat(65)]: "v" }, { note: "v".repeat(1001) }]) {
      expectRefusal(await create({ metadata }), 400, "validation_failed", "Request validation failed");
    }
  });

  it.each(["system", "shopify", "woocommerce", "prestashop", "magento", "odoo", "bubble"])(
    "integration_source %s is copied into the metadata",
    async (integration_source) => {
      const session = await openSession(service.call, { integration_source, metadata: { a: "b" } });
      expect(session.body).toMatchObject({ metadata: { a: "b", integration_source } });
    },
  );

  it("line_items of a price that does not exist give 404 not_found", async () => {
    const line_items = [{ price_id: unknownId, quantity: 2 }];
    expectRefusal(await create({ amount: undefined, line_items }), 404, "not_found");
  });

  it("application_fee_amount may be as high as the amount", async () => {
    expect((await create({ application_fee_amount: 5000 })).status).toBe(201);
    expect((await create({ application_fee_amount: 5001 })).status).toBe(400);
  });

  it.each([{ transfer_data: { destination: "acct_aaaaaaaaaaaaaaaa" } }, { transfer_group: "group" }])(
    "a split of the payment (%j) gives 400, because the API does not include it",
    async (change) => {
      expect((await create(change)).status).toBe(400);
    },
  );
});
