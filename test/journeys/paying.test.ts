import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JourneyFixture, KINDS, linkIn, openFixture } from "./fixture.ts";

describe.each(KINDS)("a shopper of a %s shop", (kind) => {
  let fixture: JourneyFixture;
  beforeEach(async () => {
    fixture = await openFixture(kind);
  });
  afterEach(async () => {
    await fixture.close();
  });

  const timesPaid = (orderId: string) => fixture.store.probe.effects(orderId).length;

  it("an order is paid once when the shopper pays by card and comes back", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout, { method: "card" });
    // While the webhook's job writes to the shop, the shopper sees our waiting page, which reloads itself.
    await fixture.until(async () => expect((await fixture.visit(await fixture.returnLink(checkout))).status).toBe(303));
    expect((await fixture.payment(checkout.paymentId)).state).toBe("recorded");
    expect(fixture.store.probe.effects(checkout.ref.orderId)).toEqual([
      expect.objectContaining({ paymentId: checkout.paymentId, total: { minor: 5000, currency: "XOF" } }),
    ]);
  });

  it("a shopper who pays by pending mobile money sees the payment complete on our waiting page", async () => {
    await fixture.disableWebhooks();
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout, { method: "mtn", outcome: "pending" });
    const waiting = await fixture.visit(await fixture.returnLink(checkout));
    expect(waiting.status).toBe(200);
    expect(waiting.text).toContain("5\u202f000\u00a0F\u00a0CFA");
    const again = linkIn(waiting.text, "return", await fixture.returnLink(checkout));
    await completeTransaction(fixture, checkout.sessionId);
    await fixture.until(async () => {
      await fixture.advanceTime(1_000);
      expect((await fixture.visit(again)).status).toBe(303);
    });
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("a shopper whose card is declined tries again and pays", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout, { method: "card", outcome: "failed" });
    expect(timesPaid(checkout.ref.orderId)).toBe(0);
    await fixture.pay(checkout, { method: "card" });
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("a shopper who cancels and then pays after all gets the order, because cancelling changed nothing", async () => {
    const placed = await fixture.placeOrder();
    const checkout = await fixture.startCheckout(placed);
    const page = await fixture.visit(await fixture.cancelLink(checkout));
    expect(page.status).toBe(303);
    expect(page.location).toBe(await fixture.store.adapter.shopperUrl(placed.ref, placed.attempt, "cancelled"));
    expect((await fixture.startCheckout(placed)).url).toBe(checkout.url);
    await fixture.pay(checkout);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("a shopper can come back in another browser without the shop's cookies", async () => {
    await fixture.disableWebhooks();
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    const page = await fixture.visit(await fixture.returnLink(checkout), { "User-Agent": "a wallet's own browser" });
    expect(page.status).toBe(303);
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("the webhook alone pays the order when the shopper closes the browser before the return", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("the return alone pays the order when webhooks are lost", async () => {
    await fixture.disableWebhooks();
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    await fixture.visit(await fixture.returnLink(checkout));
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("the timer alone pays the order within ten minutes when webhook and return are lost", async () => {
    await fixture.disableWebhooks();
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout);
    for (let minute = 0; minute < 10; minute += 1) await fixture.advanceTime(60_000);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("a shopper who pays in two tabs gets one paid order and one visible duplicate payment", async () => {
    await fixture.disableWebhooks();
    const placed = await fixture.placeOrder();
    const first = await fixture.startCheckout(placed);
    await fixture.advanceTime(51 * 60_000);
    const second = await fixture.startCheckout(placed);
    expect(second.sessionId).not.toBe(first.sessionId);
    await Promise.all([fixture.pay(first), fixture.pay(second)]);
    await Promise.all(
      [fixture.returnLink(first), fixture.returnLink(second)].map(async (link) => fixture.visit(await link)),
    );
    // Both payments were verified at once, and an order has one writer, so the timer verifies the other payment again.
    for (let minute = 0; minute < 10; minute += 1) await fixture.advanceTime(60_000);
    await fixture.until(async () => {
      const states = [await fixture.payment(first.paymentId), await fixture.payment(second.paymentId)];
      expect(states.map(({ state }) => state).sort()).toEqual(["duplicate", "recorded"]);
    });
    expect(timesPaid(placed.ref.orderId)).toBe(1);
    await fixture.until(async () => expect(await fixture.store.probe.notes(placed.ref.orderId)).toHaveLength(1));
  });

  it("a shopper whose mobile money succeeds after the session expired still gets the order", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.pay(checkout, { method: "wave", outcome: "pending" });
    await fixture.advanceTime(62 * 60_000);
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).state).toBe("expired"));
    await completeTransaction(fixture, checkout.sessionId);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("an order in dollars and cents is paid once", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder({ minor: 1999, currency: "USD" }));
    await fixture.pay(checkout, { method: "card" });
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });
});

async function completeTransaction(fixture: JourneyFixture, sessionId: string): Promise<void> {
  const url = `${fixture.sandbox.baseUrl}/transactions?checkoutSessionId=${sessionId}`;
  const response = await fetch(url, { headers: { "X-API-Key": fixture.sandbox.keys.test.secret } });
  const { data } = (await response.json()) as { data: { transaction_id: string }[] };
  await fixture.control("POST", `transactions/${data[0]?.transaction_id}/complete`);
}
