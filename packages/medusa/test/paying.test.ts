import { confirmPayment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

const countOrders = () => fixture.medusa.tables.orders.length;
const countCaptures = () => fixture.medusa.tables.payments.reduce((sum, payment) => sum + payment.captures, 0);

describe("how the shopper paid", () => {
  it.each([
    ["USD", "Card"],
    ["XOF", "Wave"],
  ])("is in the data of Medusa's payment in %s, also after a refund", async (currency, paidWith) => {
    const { payment } = await fixture.placePaidOrder({ minor: 10_000, currency });
    expect(payment.data).toMatchObject({ paid_with: paidWith });
    await fixture.medusa.refund(payment, currency === "USD" ? "1" : "100");
    expect(payment.data).toMatchObject({ paid_with: paidWith });
  });

  it("is unknown before the payment", async () => {
    const { session } = await fixture.startCheckout();
    expect(session.data).not.toHaveProperty("paid_with");
  });
});

describe("the start of a checkout", () => {
  it.each([
    { minor: 10_500, currency: "XOF", amount: "10500" },
    { minor: 2_280, currency: "USD", amount: "22.80" },
    { minor: 1_999, currency: "EUR", amount: "19.99" },
  ])("the session has exactly $amount $currency, and its data contains no secret", async (expected) => {
    const { session } = await fixture.startCheckout(expected);
    const payment = await fixture.payment(session);
    expect(payment.amountDue).toEqual({ minor: expected.minor, currency: expected.currency });
    expect(session).toMatchObject({ status: "requires_more" });
    expect(session.data).toEqual({
      version: 1,
      session_id: session.id,
      payment_id: payment.id,
      checkout_session_id: payment.session?.id,
      checkout_url: payment.session?.url,
      amount: expected.amount,
      currency_code: expected.currency.toLowerCase(),
      environment: "test",
      expires_at: new Date(payment.session?.expiresAt ?? 0).toISOString(),
    });
    expect(JSON.stringify(session.data)).not.toMatch(/svc_sk|whsec|a key of the tests/);
  });

  it("an unsupported currency is rejected with the reason and leaves no session behind", async () => {
    const cart = fixture.medusa.tables.addCart({
      total: { minor: 6_635, currency: "USD" },
      title: "Dates",
      language: "en",
    });
    await fixture.medusa.changeTotal(cart, "6.635", "kwd");
    await expect(fixture.medusa.initiate(cart)).rejects.toMatchObject({
      type: "not_allowed",
      message: "The payment service does not take KWD, only XOF, USD, EUR. Choose another payment method.",
    });
    expect(fixture.medusa.tables.sessions).toEqual([]);
  });

  it("a total with fractions of a cent is rounded to the cent, as Medusa rounds it when it compares amounts", async () => {
    const cart = fixture.medusa.tables.addCart({ total: { minor: 1, currency: "USD" }, title: "Tax", language: "en" });
    await fixture.medusa.changeTotal(cart, "4.785");
    const session = await fixture.medusa.initiate(cart);
    expect((await fixture.payment(session)).amountDue.minor).toBe(479);
    await fixture.pay(session);
    await fixture.medusa.completeCart(cart);
    expect(countOrders()).toBe(1);
  });

  it("data of another session that a storefront sends is ignored", async () => {
    const other = await fixture.startCheckout();
    await fixture.pay(other.session);
    const { cart, session } = await fixture.startCheckout({ data: other.session.data });
    expect(session.data.payment_id).not.toBe(other.session.data.payment_id);
    await expect(fixture.medusa.completeCart(cart)).rejects.toThrow("not authorized");
    expect(countOrders()).toBe(0);
  });

  it("a session whose stored data names another payment pays no cart", async () => {
    const other = await fixture.startCheckout();
    await fixture.pay(other.session);
    const { cart, session } = await fixture.startCheckout();
    session.data = { ...other.session.data };
    await expect(fixture.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect(countOrders()).toBe(0);
  });

  it("the return URL carries a token and is on an allowed origin", async () => {
    const { session } = await fixture.startCheckout();
    const { request } = await fixture.payment(session);
    const { success_url: success, cancel_url: cancel } = JSON.parse(request);
    expect(success).toMatch(/^https:\/\/shop\.example\/return\?tillkit=[\w.-]+$/);
    expect(cancel).toBe(success);
    await expect(fixture.startCheckout({ data: { return_url: "https://evil.example/" } })).rejects.toThrow(
      "allowedReturnOrigins",
    );
    expect(fixture.warnings).toContainEqual({
      message: "return_page.refused",
      fields: { field: "return_url", origin: "https://evil.example" },
    });
  });

  it("a checkout that failed during an outage of the service can be started again", async () => {
    await fixture.sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", status: 503, times: 100 });
    await expect(fixture.startCheckout()).rejects.toMatchObject({ type: "unexpected_state" });
    await fixture.sandbox.control.clearFaults();
    expect((await fixture.startCheckout()).session.data.checkout_url).toMatch(/^http/);
  });
});

describe("the completion of a cart", () => {
  it("an unpaid cart becomes no order", async () => {
    const { cart } = await fixture.startCheckout();
    await expect(fixture.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect(countOrders()).toBe(0);
  });

  it("a shopper's return completes the cart without a webhook, and a repeated request answers the same order", async () => {
    const { cart, session } = await fixture.startCheckout();
    await fixture.pay(session);
    const first = await fixture.medusa.completeCart(cart);
    expect(await fixture.medusa.completeCart(cart)).toBe(first);
    expect([countOrders(), countCaptures()]).toEqual([1, 1]);
    expect((await fixture.payment(session)).state).toBe("verified");
  });

  it("the timer completes the cart when no webhook arrives and the shopper does not return", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const { engine } = await fixture.runtime();
    await confirmPayment(engine, (await fixture.payment(session)).id, { actor: "timer" });
    expect([countOrders(), countCaptures()]).toEqual([1, 1]);
    expect((await fixture.payment(session)).state).toBe("recorded");
  });

  it("a cart becomes one order when browser and worker complete it at the same time", async () => {
    const { engine } = await fixture.runtime();
    for (let round = 0; round < 10; round += 1) {
      const { cart, session } = await fixture.startCheckout();
      await fixture.pay(session);
      const { id } = await fixture.payment(session);
      await Promise.all([
        fixture.medusa.completeCart(cart),
        confirmPayment(engine, id, { actor: "webhook" }),
        confirmPayment(engine, id, { actor: "timer" }),
        fixture.medusa.completeCart(cart),
      ]);
    }
    expect([countOrders(), countCaptures()]).toEqual([10, 10]);
  });

  it.each([
    ["half", { amount: 1_140 }, "amount_differs"],
    ["double", { amount: 4_560 }, "amount_differs"],
    ["another currency", { currency_code: "EUR" }, "currency_differs"],
  ])(
    "a cart paid with %s becomes no order, and the owner is notified of the finding",
    async (_mistake, patch, code) => {
      const { cart, session } = await fixture.startCheckout();
      await fixture.pay(session);
      const wrongReads = { method: "GET", path: "/checkout-sessions/{id}", when: "after", patch, times: 100 } as const;
      await fixture.sandbox.control.addFault(wrongReads);
      await expect(fixture.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
      expect(await fixture.payment(session)).toMatchObject({ state: "review", finding: { code } });
      await fixture.runJobsUntil(() => fixture.medusa.tables.notifications.length > 0);
      expect([countOrders(), countCaptures()]).toEqual([0, 0]);
    },
  );

  it("a cart stays payable while the service does not answer", async () => {
    const { cart, session } = await fixture.startCheckout();
    await fixture.pay(session);
    await fixture.sandbox.control.addFault({ method: "GET", path: "/checkout-sessions/{id}", status: 400, times: 1 });
    await expect(fixture.medusa.completeCart(cart)).rejects.toThrow("not authorized");
    expect(session.status).toBe("requires_more");
    await fixture.medusa.completeCart(cart);
    expect(countOrders()).toBe(1);
  });

  it("a payment is not refunded when Medusa's own write fails, and the cart becomes an order later", async () => {
    const { cart, session } = await fixture.startCheckout();
    await fixture.pay(session);
    fixture.medusa.failNextPaymentWrite();
    await expect(fixture.medusa.completeCart(cart)).rejects.toThrow();
    expect(fixture.medusa.providerCalls.cancelPayment).toBe(1);
    expect(await fixture.refundsAtService()).toEqual([]);
    await fixture.runJobsUntil(async () => (await fixture.payment(session)).state === "verified");
    const { engine } = await fixture.runtime();
    await confirmPayment(engine, (await fixture.payment(session)).id, { actor: "timer" });
    expect(countOrders()).toBe(1);
  });

  it("the data of another cart's paid session does not pay a cart", async () => {
    const paid = await fixture.startCheckout();
    await fixture.pay(paid.session);
    const unpaid = await fixture.startCheckout();
    unpaid.session.data = structuredClone(paid.session.data);
    await expect(fixture.medusa.completeCart(unpaid.cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect([countOrders(), countCaptures()]).toEqual([0, 0]);
  });
});
