import { createHmac, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JourneyFixture, KINDS, openFixture, type StartedCheckout } from "./fixture.ts";

describe.each(KINDS)("a signal about an order of a %s shop", (kind) => {
  let fixture: JourneyFixture;
  beforeEach(async () => {
    fixture = await openFixture(kind);
  });
  afterEach(async () => {
    await fixture.close();
  });

  const timesPaid = (orderId: string) => fixture.store.probe.effects(orderId).length;

  /** Sends a webhook to our route, signed with the given secret. */
  async function send(body: string, secret: string, headers: Record<string, string> = {}): Promise<number> {
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const response = await fetch(`${fixture.origin}/hooks/service/main`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", "X-Service-Signature": signature, ...headers },
    });
    return response.status;
  }

  async function webhookSecret(): Promise<string> {
    const endpoint = await fixture.server().engine.tenants.endpoint("main");
    return endpoint?.secrets[0] ?? "";
  }

  function succeededEvent(checkout: StartedCheckout, change: Record<string, unknown> = {}): string {
    const data = {
      transaction_id: randomUUID(),
      checkout_session_id: checkout.sessionId,
      status: "completed",
      ...change,
    };
    return JSON.stringify({
      id: randomUUID(),
      event: "PAYMENT_SUCCEEDED",
      timestamp: "2026-03-01T10:00:00.000Z",
      data,
    });
  }

  it("an event that arrives ten times with a different id each time pays its order once", async () => {
    await fixture.control("PATCH", "settings", { delivery: { freshIdPerAttempt: true, duplicate: 9 } });
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
    await fixture.until(async () => {
      const deliveries = (await fixture.control("GET", "deliveries")) as { data?: unknown[] } | unknown[];
      expect((Array.isArray(deliveries) ? deliveries : (deliveries.data ?? [])).length).toBeGreaterThanOrEqual(10);
    });
    await fixture.advanceTime(120_000);
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("an event without the session id finds its payment", async () => {
    await fixture.control("PATCH", "settings", { thinEvents: true });
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("an event with a forged signature is rejected and changes nothing", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    expect(await send(succeededEvent(checkout), "whsec_guessed")).toBe(401);
    await fixture.advanceTime(30_000);
    expect(timesPaid(checkout.ref.orderId)).toBe(0);
  });

  it("a signed event with false statements about a payment changes nothing", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    expect(await send(succeededEvent(checkout), await webhookSecret())).toBe(200);
    await fixture.advanceTime(30_000);
    expect(timesPaid(checkout.ref.orderId)).toBe(0);
    expect((await fixture.payment(checkout.paymentId)).state).toBe("open");
  });

  it("an event whose header contradicts its signed body is processed by its body and flagged", async () => {
    await fixture.disableWebhooks();
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    expect(await send(succeededEvent(checkout), await webhookSecret(), { "X-Service-Event": "PAYMENT_FAILED" })).toBe(
      200,
    );
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
    const timeline = await fixture.server().engine.ledger.timeline({ paymentId: checkout.paymentId });
    expect(timeline.map(({ kind }) => kind)).toContain("header_differs");
  });

  it("a return link with a forged signature is answered with 403 and a page", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    const link = await fixture.returnLink(checkout);
    const signatureLength = 43;
    const signature = new RegExp(`\\.[\\w-]{${signatureLength}}`);
    const forged = await fixture.visit(link.replace(signature, `.${"A".repeat(signatureLength)}`));
    expect(forged.status).toBe(403);
    expect(forged.text).toContain("<h1");
  });

  it.each([
    ["another amount", { amount: 50 }, "amount_differs"],
    ["another currency", { currency_code: "USD" }, "currency_differs"],
    ["no currency", { currency_code: null }, "not_verifiable"],
    ["no reference", { metadata: null }, "not_verifiable"],
    ["somebody else's reference", { metadata: { tillkit_reference: "x.y" } }, "other_reference"],
    ["another session", { id: randomUUID(), checkout_session_id: randomUUID() }, "other_session"],
    ["the live environment", { environment: "live" }, "other_environment"],
  ])("an order is not paid when a read of its session shows %s, and the owner sees why", async (_name, patch, code) => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.control("POST", "faults", {
      method: "GET",
      path: "/checkout-sessions/{id}",
      when: "after",
      patch,
      times: 1000,
    });
    await fixture.pay(checkout);
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).finding?.code).toBe(code));
    await fixture.until(async () => expect(await fixture.store.probe.holds(checkout.ref.orderId)).toHaveLength(1));
    expect(timesPaid(checkout.ref.orderId)).toBe(0);
  });

  it("a payment that arrives after its order was edited is held and does not pay the order", async () => {
    const placed = await fixture.placeOrder();
    const checkout = await fixture.startCheckout(placed);
    await fixture.store.editTotal(placed.ref.orderId, { minor: 7000, currency: "XOF" });
    await fixture.pay(checkout);
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).state).toBe("review"));
    expect(timesPaid(placed.ref.orderId)).toBe(0);
  });
});
