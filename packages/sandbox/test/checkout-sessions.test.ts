import { checkoutSessionSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { api, control, newSession, openSandbox, order } from "./open-sandbox.ts";
import { eventNames, moveMoney, payNewSession } from "./payments.ts";

describe("POST /checkout-sessions", () => {
  it("creating a session answers 201 with its checkout_url, with and without /v1", async () => {
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

  it("a session has the merchant's currency and the default flags", async () => {
    const sandbox = await openSandbox();
    const { json } = await api(sandbox, "POST /checkout-sessions", { body: { amount: 5000, unknown_field: 1 } });
    expect(json).toMatchObject({ currency_code: "XOF", quantity: 1, allow_quantity: false, allow_coupon_code: false });
    expect(json).toMatchObject({ require_name: true, require_email: true, require_phone: false, metadata: {} });
    expect(json).not.toHaveProperty("unknown_field");
  });

  it("an invalid session is validation_failed with messages per field", async () => {
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

  it("a number that is not a valid amount is amount_invalid", async () => {
    const sandbox = await openSandbox();
    for (const amount of ["0", "-5", "10.5", "9007199254740993", "1e400"]) {
      const { status, json } = await api(sandbox, "POST /checkout-sessions", { body: `{"amount":${amount}}` });
      expect([amount, status, json.error.code]).toEqual([amount, 400, "amount_invalid"]);
    }
  });

  it("an amount below every payment method's minimum is amount_invalid", async () => {
    const sandbox = await openSandbox();
    const ask = async (body: unknown) => (await api(sandbox, "POST /checkout-sessions", { body })).json;
    expect((await ask({ amount: 49, currency_code: "USD" })).error.code).toBe("amount_invalid");
    expect((await ask({ amount: 50, currency_code: "USD" })).status).toBe("open");
    await sandbox.control.changeSettings({ amountExponents: { USD: 0 } });
    expect((await ask({ amount: 1, currency_code: "USD" })).status).toBe("open");
  });

  it("a session with an unknown customer, product, price or payment link is 404", async () => {
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

  it("the integration_source of a session is copied into its metadata", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox, { integration_source: "woocommerce" });
    expect(session.metadata).toEqual({ order_id: "1042", integration_source: "woocommerce" });
  });
});

describe("GET /checkout-sessions/{id}", () => {
  it("reading a session returns it, with and without /v1", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    for (const path of ["/checkout-sessions", "/v1/checkout-sessions"]) {
      const { status, json } = await api(sandbox, `GET ${path}/${session.id}`);
      expect([status, json]).toEqual([200, session]);
    }
  });

  it("an id that is not a UUID is 400, and an unreplaced placeholder is named in the message", async () => {
    const sandbox = await openSandbox();
    const other = await api(sandbox, "GET /checkout-sessions/cs_7K2MPQ9XW4ZTBD");
    expect([other.status, other.json.error.code]).toEqual([400, "bad_request"]);
    for (const id of ["{CHECKOUT_SESSION_ID}", "%7BCHECKOUT_SESSION_ID%7D"]) {
      const { status, json } = await api(sandbox, `GET /checkout-sessions/${id}`);
      expect([status, json.error.code]).toEqual([400, "bad_request"]);
      expect(json.error.message).toMatch(/placeholder of success_url/);
    }
  });

  it("the setting narrowReads omits fields of a read, but never a documented field", async () => {
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

  it("the setting narrowReads with bare links no session, transaction or metadata in any read", async () => {
    const sandbox = await openSandbox({ settings: { narrowReads: "bare" } });
    const { transaction_id, checkout_session_id: id, customer_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 100 });
    const session = await api(sandbox, `GET /checkout-sessions/${id}`);
    expect(session.json).toMatchObject({ id, status: "completed", metadata: { order_id: "1042" } });
    expect(session.json).not.toHaveProperty("transaction_id");
    for (const path of [
      "/transactions",
      `/transactions/${transaction_id}`,
      `/customers/${customer_id}/transactions`,
      "/refunds",
    ]) {
      const { text } = await api(sandbox, `GET ${path}`);
      expect([path, text.includes(id), text.includes("order_id")]).toEqual([path, false, false]);
      expect(text).toContain(transaction_id);
    }
  });

  it("the setting wrap puts the session under data or into an array", async () => {
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
  it("a session expires with its pending payment and without an event", async () => {
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

  it("a late successful payment completes an expired session", async () => {
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

  it("a session stays open after a failed attempt", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    await sandbox.control.paySession(session.id, { method: "card", outcome: "failed" });
    expect((await api(sandbox, `GET /checkout-sessions/${session.id}`)).json.status).toBe("open");
    const paid = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const { json } = await api(sandbox, `GET /checkout-sessions/${session.id}`);
    expect([json.status, json.transaction_id]).toEqual(["completed", paid.transaction_id]);
  });

  it("a completed session that is paid again has a second transaction with its events, and keeps its first", async () => {
    const sandbox = await openSandbox();
    const first = await payNewSession(sandbox);
    const id = first.checkout_session_id;
    const pay = { method: "wave", outcome: "completed", again: true } as const;
    const second = await sandbox.control.paySession(id, pay);
    expect(second).toMatchObject({ status: "completed", checkout_session_id: id, gross_amount: 25_000 });
    const pending = await sandbox.control.paySession(id, { ...pay, outcome: "pending" });
    await sandbox.control.completeTransaction(String(pending.transaction_id));
    const { json } = await api(sandbox, `GET /checkout-sessions/${id}`);
    expect(json).toMatchObject({ status: "completed", transaction_id: first.transaction_id });
    const listed = await api(sandbox, `GET /transactions?checkoutSessionId=${id}&status=completed`);
    expect(listed.json.total_count).toBe(3);
    expect((await eventNames(sandbox)).filter((name) => name === "PAYMENT_SUCCEEDED")).toHaveLength(3);
    const open = await newSession(sandbox);
    const early = await control(sandbox, `POST /checkout-sessions/${open.id}/pay`, pay);
    expect([early.status, early.json.error.code]).toEqual([409, "conflict"]);
  });

  it("a completed session cannot be paid again and cannot expire", async () => {
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

  it("a payment due before the expiry completes, even when the clock jumps past both times", async () => {
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
