import { confirmPayment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const orders = () => world.medusa.shop.orders.length;
const captures = () => world.medusa.shop.payments.reduce((sum, payment) => sum + payment.captures, 0);

describe("a checkout that begins", () => {
  it.each([
    { minor: 10_500, currency: "XOF", amount: "10500" },
    { minor: 2_280, currency: "USD", amount: "22.80" },
    { minor: 1_999, currency: "EUR", amount: "19.99" },
  ])("asks for exactly $amount $currency, and tells the storefront what it may know", async (money) => {
    const { session } = await world.beginCheckout(money);
    const payment = await world.payment(session);
    expect(payment.amountDue).toEqual({ minor: money.minor, currency: money.currency });
    expect(session).toMatchObject({ status: "requires_more" });
    expect(session.data).toEqual({
      v: 1,
      session_id: session.id,
      payment_id: payment.id,
      checkout_session_id: payment.session?.id,
      checkout_url: payment.session?.url,
      amount: money.amount,
      currency_code: money.currency.toLowerCase(),
      environment: "test",
      expires_at: new Date(payment.session?.expiresAt ?? 0).toISOString(),
    });
    expect(JSON.stringify(session.data)).not.toMatch(/svc_sk|whsec|a key of the tests/);
  });

  it("refuses a currency that the service does not take, in words, and leaves no session behind", async () => {
    const cart = world.medusa.shop.placeCart({
      total: { minor: 6_635, currency: "USD" },
      title: "Dates",
      language: "en",
    });
    await world.medusa.changeTotal(cart, "6.635", "kwd");
    await expect(world.medusa.initiate(cart)).rejects.toMatchObject({
      type: "not_allowed",
      message: 'The service takes XOF, USD, EUR, not "KWD". Choose one of them.',
    });
    expect(world.medusa.shop.sessions).toEqual([]);
  });

  it("owes what Medusa compares: parts of a cent are rounded to the cent", async () => {
    const cart = world.medusa.shop.placeCart({ total: { minor: 1, currency: "USD" }, title: "Tax", language: "en" });
    await world.medusa.changeTotal(cart, "4.785");
    const session = await world.medusa.initiate(cart);
    expect((await world.payment(session)).amountDue.minor).toBe(479);
    await world.pay(session);
    await world.medusa.completeCart(cart);
    expect(orders()).toBe(1);
  });

  it("ignores another session's data that a storefront sends along", async () => {
    const other = await world.beginCheckout();
    await world.pay(other.session);
    const { cart, session } = await world.beginCheckout({ data: other.session.data });
    expect(session.data.payment_id).not.toBe(other.session.data.payment_id);
    await expect(world.medusa.completeCart(cart)).rejects.toThrow("not authorized");
    expect(orders()).toBe(0);
  });

  it("ignores a session whose stored data names another payment", async () => {
    const other = await world.beginCheckout();
    await world.pay(other.session);
    const { cart, session } = await world.beginCheckout();
    session.data = { ...other.session.data };
    await expect(world.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect(orders()).toBe(0);
  });

  it("brings the shopper back with a token, to a page of the shop only", async () => {
    const { session } = await world.beginCheckout();
    const { request } = await world.payment(session);
    const { success_url: success, cancel_url: cancel } = JSON.parse(request);
    expect(success).toMatch(/^https:\/\/shop\.example\/return\?tillkit=[\w.-]+$/);
    expect(cancel).toBe(success);
    await expect(world.beginCheckout({ data: { return_url: "https://evil.example/" } })).rejects.toThrow(
      "allowedReturnOrigins",
    );
  });

  it("says that the service is away, and can be begun again", async () => {
    await world.sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", status: 503, times: 100 });
    await expect(world.beginCheckout()).rejects.toMatchObject({ type: "unexpected_state" });
    await world.sandbox.control.clearFaults();
    expect((await world.beginCheckout()).session.data.checkout_url).toMatch(/^http/);
  });
});

describe("a cart", () => {
  it("becomes no order while nobody paid", async () => {
    const { cart } = await world.beginCheckout();
    await expect(world.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect(orders()).toBe(0);
  });

  it("becomes one order by the returning shopper alone, and the same one again", async () => {
    const { cart, session } = await world.beginCheckout();
    await world.pay(session);
    const first = await world.medusa.completeCart(cart);
    expect(await world.medusa.completeCart(cart)).toBe(first);
    expect([orders(), captures()]).toEqual([1, 1]);
    expect((await world.payment(session)).state).toBe("verified");
  });

  it("becomes one order by the timer alone, when webhook and shopper never come", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const { engine } = await world.till();
    await confirmPayment(engine, (await world.payment(session)).id, { actor: "timer" });
    expect([orders(), captures()]).toEqual([1, 1]);
    expect((await world.payment(session)).state).toBe("recorded");
  });

  it("becomes one order when browser and worker come at once, again and again", async () => {
    const { engine } = await world.till();
    for (let round = 0; round < 10; round += 1) {
      const { cart, session } = await world.beginCheckout();
      await world.pay(session);
      const { id } = await world.payment(session);
      await Promise.all([
        world.medusa.completeCart(cart),
        confirmPayment(engine, id, { actor: "webhook" }),
        confirmPayment(engine, id, { actor: "timer" }),
        world.medusa.completeCart(cart),
      ]);
    }
    expect([orders(), captures()]).toEqual([10, 10]);
  });

  it.each([
    ["half", { amount: 1_140 }, "amount_differs"],
    ["double", { amount: 4_560 }, "amount_differs"],
    ["another currency", { currency_code: "EUR" }, "currency_differs"],
  ])("that was paid with %s becomes no order, and the owner sees why", async (_what, patch, code) => {
    const { cart, session } = await world.beginCheckout();
    await world.pay(session);
    await world.sandbox.control.addFault({
      method: "GET",
      path: "/checkout-sessions/{id}",
      when: "after",
      patch,
      times: 100,
    });
    await expect(world.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect(await world.payment(session)).toMatchObject({ state: "review", finding: { code } });
    await world.workUntil(() => world.medusa.shop.notices.length > 0);
    expect([orders(), captures()]).toEqual([0, 0]);
  });

  it("waits while the service does not answer, and ends nothing", async () => {
    const { cart, session } = await world.beginCheckout();
    await world.pay(session);
    await world.sandbox.control.addFault({ method: "GET", path: "/checkout-sessions/{id}", status: 400, times: 1 });
    await expect(world.medusa.completeCart(cart)).rejects.toThrow("not authorized");
    expect(session.status).toBe("requires_more");
    await world.medusa.completeCart(cart);
    expect(orders()).toBe(1);
  });

  it("keeps its money when Medusa's own write fails after the payment, and becomes an order later", async () => {
    const { cart, session } = await world.beginCheckout();
    await world.pay(session);
    world.medusa.failNextPaymentRow();
    await expect(world.medusa.completeCart(cart)).rejects.toThrow();
    expect(world.medusa.asked.cancelPayment).toBe(1);
    expect(await world.refundsAtService()).toEqual([]);
    await world.workUntil(async () => (await world.payment(session)).state === "verified");
    const { engine } = await world.till();
    await confirmPayment(engine, (await world.payment(session)).id, { actor: "timer" });
    expect(orders()).toBe(1);
  });

  it("that holds the data of another cart's paid session is not paid by it", async () => {
    const paid = await world.beginCheckout();
    await world.pay(paid.session);
    const thief = await world.beginCheckout();
    thief.session.data = structuredClone(paid.session.data);
    await expect(world.medusa.completeCart(thief.cart)).rejects.toMatchObject({ type: "not_allowed" });
    expect([orders(), captures()]).toEqual([0, 0]);
  });
});
