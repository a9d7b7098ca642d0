import { checkoutSessionSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { api, control, newSession, openSandbox, order } from "./open-sandbox.ts";

describe("POST /checkout-sessions", () => {
  it("answers 201 with the session and the address of its hosted page, with and without /v1", async () => {
    const sandbox = await openSandbox();
    for (const path of ["/checkout-sessions", "/v1/checkout-sessions"]) {
      const { status, json } = await api(sandbox, `POST ${path}`, { body: order });
      expect(status).toBe(201);
      expect(json).toMatchObject({ status: "open", amount: 25000, currency_code: "XOF", title: "Order 1042" });
      expect(json.checkout_session_id).toBe(json.id);
      expect(json.checkout_url).toMatch(/\/cs_[2-9A-HJ-NP-Z]{14}$/);
      expect(json.checkout_url.startsWith(`${sandbox.checkoutBaseUrl}/`)).toBe(true);
      expect(json.next_action).toEqual({ type: "redirect", url: json.checkout_url });
      expect(json.transaction_id).toBeNull();
      expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(3_600_000);
      checkoutSessionSchema.parse(json);
    }
  });

  it("falls back to the merchant's currency, and to the defaults of the flags", async () => {
    const sandbox = await openSandbox();
    const { json } = await api(sandbox, "POST /checkout-sessions", { body: { amount: 5000, unknown_field: 1 } });
    expect(json).toMatchObject({ currency_code: "XOF", quantity: 1, allow_quantity: false, allow_coupon_code: false });
    expect(json).toMatchObject({ require_name: true, require_email: true, require_phone: false, metadata: {} });
    expect(json).not.toHaveProperty("unknown_field");
  });

  it("answers validation_failed with the messages of each field", async () => {
    const sandbox = await openSandbox();
    const wrong: [Record<string, unknown>, string][] = [
      [{ amount: undefined }, "amount"],
      [{ amount: "5000" }, "amount"],
      [{ currency_code: "GBP" }, "currency_code"],
      [{ title: "x".repeat(256) }, "title"],
      [{ description: "x".repeat(1001) }, "description"],
      [{ success_url: "/return" }, "success_url"],
      [{ cancel_url: "javascript:alert(1)" }, "cancel_url"],
      [{ customer_email: "" }, "customer_email"],
      [{ customer_email: "awa" }, "customer_email"],
      [{ customer_name: "" }, "customer_name"],
      [{ customer_id: "42" }, "customer_id"],
      [{ quantity: 0 }, "quantity"],
      [{ metadata: [] }, "metadata"],
      [{ metadata: { note: "x".repeat(1001) } }, "metadata"],
      [{ integration_source: "medusa" }, "integration_source"],
      [{ transfer_group: "g" }, "transfer_group"],
      [{ require_name: false, require_email: false }, "require_name"],
    ];
    for (const [fields, field] of wrong) {
      const { status, json } = await api(sandbox, "POST /checkout-sessions", { body: { ...order, ...fields } });
      expect([field, status, json.error.code, json.error.message]).toEqual([
        field,
        400,
        "validation_failed",
        "Request validation failed",
      ]);
      expect(json.error.details[field]).toEqual([expect.any(String)]);
    }
  });

  it("answers amount_invalid for a number that is no amount", async () => {
    const sandbox = await openSandbox();
    for (const amount of ["0", "-5", "10.5", "9007199254740993", "1e400"]) {
      const { status, json } = await api(sandbox, "POST /checkout-sessions", { body: `{"amount":${amount}}` });
      expect([amount, status, json.error.code]).toEqual([amount, 400, "amount_invalid"]);
    }
  });

  it("answers amount_invalid below what any payment method takes", async () => {
    const sandbox = await openSandbox();
    const ask = async (body: unknown) => (await api(sandbox, "POST /checkout-sessions", { body })).json;
    expect((await ask({ amount: 49, currency_code: "USD" })).error.code).toBe("amount_invalid");
    expect((await ask({ amount: 50, currency_code: "USD" })).status).toBe("open");
    await sandbox.control.changeSettings({ amountExponents: { USD: 0 } });
    expect((await ask({ amount: 1, currency_code: "USD" })).status).toBe("open");
  });

  it("answers 404 for customers, products, prices and links that do not exist", async () => {
    const sandbox = await openSandbox();
    const id = "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33";
    const references: [Record<string, unknown>, string][] = [
      [{ customer_id: id }, "Customer not found"],
      [{ product_id: id }, "Product not found"],
      [{ price_id: id }, "Price not found"],
      [{ line_items: [{ price_id: id }] }, "Price not found"],
      [{ subscription_id: id }, "Subscription not found"],
      [{ payment_link_id: id }, "Payment link not found"],
    ];
    for (const [fields, message] of references) {
      const { status, json } = await api(sandbox, "POST /checkout-sessions", { body: { ...order, ...fields } });
      expect([status, json.error]).toEqual([404, { code: "not_found", message }]);
    }
  });

  it("copies the sales channel into the metadata", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { integration_source: "woocommerce" });
    expect(session.metadata).toEqual({ order_id: "1042", integration_source: "woocommerce" });
  });
});

describe("GET /checkout-sessions/{id}", () => {
  it("answers the session, with and without /v1", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    for (const path of ["/checkout-sessions", "/v1/checkout-sessions"]) {
      const { status, json } = await api(sandbox, `GET ${path}/${session.id}`);
      expect([status, json]).toEqual([200, session]);
    }
  });

  it("answers 400 for an id that is no UUID, and names the mistake of a placeholder that was not replaced", async () => {
    const sandbox = await openSandbox();
    const other = await api(sandbox, "GET /checkout-sessions/cs_7K2MPQ9XW4ZTBD");
    expect([other.status, other.json.error.code]).toEqual([400, "bad_request"]);
    for (const id of ["{CHECKOUT_SESSION_ID}", "%7BCHECKOUT_SESSION_ID%7D"]) {
      const { status, json } = await api(sandbox, `GET /checkout-sessions/${id}`);
      expect([status, json.error.code]).toEqual([400, "bad_request"]);
      expect(json.error.message).toMatch(/placeholder of success_url/);
    }
  });

  it("leaves fields out under the switch narrowReads, but not the ones that may be relied on", async () => {
    const sandbox = await openSandbox({ settings: { narrowReads: true } });
    const { id } = await newSession(sandbox);
    const { json } = await api(sandbox, `GET /checkout-sessions/${id}`);
    for (const gone of ["checkout_url", "environment", "quantity", "allow_quantity", "require_email"]) {
      expect(json).not.toHaveProperty(gone);
    }
    for (const kept of ["id", "status", "amount", "currency_code", "metadata", "expires_at"]) {
      expect(json).toHaveProperty(kept);
    }
  });

  it("wraps the answer under the switch wrap", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.changeSettings({ wrap: "data" });
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json).toEqual({ data: session });
    await sandbox.control.changeSettings({ wrap: "array" });
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json).toEqual([session]);
    expect((await api(sandbox, "GET /checkout-sessions/x")).json.error.code).toBe("bad_request");
  });
});

describe("the life of a session", () => {
  it("expires after its time, and its pending payment with it, without an event", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const pending = await sandbox.control.paySession(session.id, { method: "wave", outcome: "pending" });
    await sandbox.control.advanceClock(3_599_000);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("open");
    await sandbox.control.advanceClock(2000);
    const { json } = await api(sandbox, `GET /checkout-sessions/${session.id}`);
    expect([json.status, json.next_action]).toEqual(["expired", null]);
    const transaction = (await api(sandbox, `GET /transactions/${pending.transaction_id}`)).json;
    expect(transaction.status).toBe("expired");
    const events = await sandbox.control.listEvents();
    expect(events.map((event) => event.event)).toEqual(["PAYMENT_CREATED"]);
  });

  it("is completed by a late success, which wins over expiry", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const pending = await sandbox.control.paySession(session.id, { method: "mtn", outcome: "pending" });
    await sandbox.control.expireSession(session.id);
    const late = await control(sandbox, `POST /transactions/${pending.transaction_id}/complete`);
    expect(late.json.status).toBe("completed");
    const { json } = await api(sandbox, `GET /checkout-sessions/${session.id}`);
    expect([json.status, json.transaction_id]).toEqual(["completed", pending.transaction_id]);
    expect((await sandbox.control.listEvents()).map((event) => event.event)).toEqual([
      "PAYMENT_SUCCEEDED",
      "PAYMENT_CREATED",
    ]);
  });

  it("stays open after a failed attempt, so that the customer may try again", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "card", outcome: "failed" });
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("open");
    const paid = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const { json } = await api(sandbox, `GET /checkout-sessions/${session.id}`);
    expect([json.status, json.transaction_id]).toEqual(["completed", paid.transaction_id]);
  });

  it("cannot be paid twice, nor expire once it is completed", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const again = await control(sandbox, `POST /checkout-sessions/${session.id}/pay`, {
      method: "wave",
      outcome: "completed",
    });
    expect([again.status, again.json.error.code]).toEqual([409, "conflict"]);
    expect((await control(sandbox, `POST /checkout-sessions/${session.id}/expire`)).status).toBe(409);
    await sandbox.control.advanceClock(86_400_000);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("completed");
  });

  it("completes a payment that fell due before the end, even when the clock jumps over both", async () => {
    const sandbox = await openSandbox({ settings: { sessionTtlSeconds: 60, pendingSeconds: 15 } });
    const session = await newSession(sandbox);
    const form = { method: "wave", mobile_phone: "+2250700000001", name: "Awa", email: "awa@example.test" };
    await fetch(session.checkout_url, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
    await sandbox.control.advanceClock(7_200_000);
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("completed");
    const [transaction] = (await api(sandbox, "GET /transactions")).json.data;
    expect(Date.parse(transaction.updated_at) - Date.parse(transaction.created_at)).toBe(15_000);
  });
});
