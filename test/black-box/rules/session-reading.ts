import { describe, expect, it } from "vitest";
import { anId, aTime, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { hour, minute, startService } from "../service.ts";
import { openSession, order, pay, readSession } from "../steps.ts";

describe("The checkout session", () => {
  const service = startService();

  it("an open session has these fields and values", async () => {
    const shop = await service.merchant();
    const session = await openSession(shop.call, { title: "Order 1042" });
    const [id, url] = [session.text("id"), session.text("checkout_url")];
    expect(id).toEqual(anId);
    expect(session.body).toMatchObject({
      checkout_session_id: id,
      status: "open",
      amount: 5000,
      currency_code: "XOF",
      title: "Order 1042",
      description: null,
      success_url: null,
      cancel_url: null,
      metadata: {},
      environment: "test",
      customer_id: null,
      customer_email: null,
      customer_name: null,
      customer_phone: null,
      quantity: 1,
      allow_quantity: false,
      allow_coupon_code: false,
      require_name: true,
      require_email: true,
      require_phone: false,
      require_billing_address: false,
      product_id: null,
      price_id: null,
      subscription_id: null,
      payment_link_id: null,
      payment_request_id: null,
      installment_plan_id: null,
      transaction_id: null,
      is_pos: false,
      is_spi: false,
      spi_account_number: null,
      spi_qr_code_id: null,
      qr_code_type: null,
      qr_code_data: null,
      next_action: { type: "redirect", url },
      organization_id: shop.organizationId,
      created_by: shop.merchantId,
      expires_at: aTime,
      created_at: aTime,
      updated_at: aTime,
    });
  });

  it("a session is read as it was created", async () => {
    const session = await openSession(service.call, { metadata: { order_id: "1042" } });
    expect((await readSession(service.call, session.text("id"))).body).toEqual(session.body);
  });

  it("a session expires 60 minutes after its creation", async () => {
    const session = await openSession(service.call);
    expect(Date.parse(session.text("expires_at")) - Date.parse(session.text("created_at"))).toBe(hour);
  });

  it("a completed session has a transaction and no next action", async () => {
    const id = (await openSession(service.call)).text("id");
    await pay(service, id);
    const session = await readSession(service.call, id);
    expect(session.text("transaction_id")).toEqual(anId);
    expect(session.body).not.toHaveProperty("next_action.url");
  });

  it("an id that is not a UUID gives 400 bad_request", async () => {
    for (const id of ["1042", "cs_7K2MPQ9XW4ZTBD", "6f1f0a0e-6f59-4f0c-9f7a"]) {
      expectRefusal(await service.call("GET /checkout-sessions/{id}", { params: { id } }), 400, "bad_request");
    }
  });

  it("the placeholder itself as an id gives 400 bad_request with a message that names the mistake", async () => {
    const params = { id: "{CHECKOUT_SESSION_ID}" };
    const answer = await service.call("GET /checkout-sessions/{id}", { params });
    expectRefusal(answer, 400, "bad_request", /\{CHECKOUT_SESSION_ID\}/);
  });

  it("an unknown id gives 404 not_found", async () => {
    const params = { id: unknownId };
    expectRefusal(await service.call("GET /checkout-sessions/{id}", { params }), 404, "not_found", / not found$/);
  });
});

describe("The settings that change the shape of an answer", () => {
  const service = startService();

  it("narrowReads omits the fields of a session that may be missing and keeps the others", async () => {
    const made = await openSession(service.call, { metadata: { order_id: "1042" } });
    const read = await service.withSettings({ narrowReads: true }, () => readSession(service.call, made.text("id")));
    for (const name of ["checkout_url", "environment", "quantity", "allow_quantity", "allow_coupon_code"]) {
      expect(read.body).not.toHaveProperty(name);
    }
    for (const name of ["require_name", "require_email", "require_phone", "require_billing_address"]) {
      expect(read.body).not.toHaveProperty(name);
    }
    expect(read.body).toMatchObject({
      checkout_session_id: made.text("id"),
      status: "open",
      amount: 5000,
      currency_code: "XOF",
      metadata: { order_id: "1042" },
      expires_at: made.text("expires_at"),
    });
  });

  it("wrap returns a resource under data or as an array with one row", async () => {
    const create = () => service.call("POST /checkout-sessions", { body: order });
    const inData = await service.withSettings({ wrap: "data" }, create);
    const read = () => service.call("GET /checkout-sessions/{id}", { params: { id: inData.text("data.id") } });
    const inArray = await service.withSettings({ wrap: "array" }, read);
    expect(inData.text("data.status")).toBe("open");
    expect(inArray.rows()).toEqual([(inData.body as { data: unknown }).data]);
  });

  it("a session expires after sessionTtlSeconds", async () => {
    const session = await service.withSettings({ sessionTtlSeconds: 600 }, () => openSession(service.call));
    expect(Date.parse(session.text("expires_at")) - Date.parse(session.text("created_at"))).toBe(10 * minute);
  });
});
