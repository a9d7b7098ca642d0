import { limits, recordCancel } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectPaymentIn, HOUR, LEDGERS, MINUTE, openFixture, type ScenarioFixture, SECOND } from "./fixture.ts";

describe.each(LEDGERS)("a Shopify-like shop, with the ledger in %s", (ledger) => {
  it("6 · a stored redirect_url that is opened two hours later starts a new payment with its own key under the same attempt", async () => {
    const fixture = await openFixture("write-only", { ledger });
    const placed = await fixture.placeOrder();
    const early = await fixture.startCheckout(placed);
    await fixture.advanceTime(2 * HOUR);
    const late = await fixture.startCheckout(placed);
    expect(late.id).not.toBe(early.id);
    expect(late.attempt).toBe(early.attempt);
    expect(fixture.service.posts.map(({ key }) => key)).toEqual([early.id, late.id]);

    await fixture.deliver(fixture.service.pay(late));
    await fixture.run(5 * SECOND);
    // The first session is paid too, long after it expired: the owner gets a note, and the order is not paid again.
    await fixture.deliver(fixture.service.pay(early));
    await fixture.run(5 * SECOND);
    expect(fixture.store.probe.effects()).toMatchObject([{ paymentId: late.id, attempt: placed.attempt }]);
    expect((await fixture.payment(early.id)).state).toBe("duplicate");
    expect(await fixture.store.probe.notes(placed.ref.orderId)).toHaveLength(1);
  });

  it("7 · a group is paid once when both of its tabs are paid at the same moment and the process dies", async () => {
    const fixture = await openFixture("write-only", { ledger });
    const firstTab = await fixture.placeOrder();
    const secondTab = await fixture.store.openSecondTab(firstTab.ref.orderId);
    expect(secondTab.ref).toEqual(firstTab.ref);
    const payments = [await fixture.startCheckout(firstTab), await fixture.startCheckout(secondTab)];
    fixture.store.setLatency(2 * SECOND);
    for (const payment of payments) await fixture.deliver(fixture.service.pay(payment));
    await fixture.run(3 * SECOND);
    fixture.crash();
    await fixture.run(3 * MINUTE);
    const [effect] = fixture.store.probe.effects();
    expect(fixture.store.probe.effects()).toHaveLength(1);
    expect(effect?.paymentId).toBe((await expectPaymentIn(fixture, firstTab, "recorded")).id);
    await expectPaymentIn(fixture, firstTab, "duplicate");
  });

  it("8 · the next page that a write-only shop returns once is stored, also when the process crashes", async () => {
    const fixture = await openFixture("write-only", { ledger });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    await fixture.deliver(fixture.service.pay(payment));
    await fixture.run(5 * SECOND);
    fixture.crash();
    const recorded = await fixture.payment(payment.id);
    expect(recorded.state).toBe("recorded");
    expect(await recordedEntry(fixture, payment.id)).toMatchObject({ evidence: "acknowledged" });
    for (let time = 0; time < 3; time += 1) await fixture.confirm(payment);
    const { ref, attempt } = placed;
    expect(await fixture.store.adapter.shopperUrl(ref, attempt, "paid")).toBe("https://write-only.example/thank-you/1");
  });

  it("8 · an order of a write-only shop is paid once when the shop's only answer is lost and the write repeated", async () => {
    const fixture = await openFixture("write-only", { ledger });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    fixture.store.failNextWrite("lost-after-effect");
    await fixture.deliver(fixture.service.pay(payment));
    await fixture.run(2 * MINUTE);
    await expectPaymentIn(fixture, placed, "recorded");
    expect(fixture.store.probe.effects()).toHaveLength(1);
  });

  it("9 · a session becomes pending only after the shopper acted, no cancel, failure or expiry rejects it, and a late success still pays the order", async () => {
    const fixture = await openFixture("write-only", { ledger });
    const placed = await fixture.placeOrder();
    const status = () => fixture.store.probe.status(placed.ref.orderId);
    const payment = await fixture.startCheckout(placed);
    await fixture.run(5 * MINUTE);
    expect(status()).toBe("open");

    await recordCancel(fixture.engine(), payment.id);
    const data = { checkout_session_id: fixture.service.sessionOf(payment).id };
    await fixture.deliver(fixture.service.event("PAYMENT_FAILED", { ...data, transaction_id: "first try" }));
    await fixture.run(MINUTE);
    expect(status()).toBe("open");

    await fixture.deliver(fixture.service.event("PAYMENT_CREATED", { ...data, transaction_id: "second try" }));
    await fixture.run(MINUTE);
    expect(status()).toBe("pending");

    await fixture.deliver(fixture.service.event("PAYMENT_FAILED", { ...data, transaction_id: "second try" }));
    await fixture.advanceTime(30 * HOUR);
    expect((await fixture.payment(payment.id)).state).toBe("expired");
    expect(status()).toBe("pending");

    await fixture.deliver(fixture.service.pay(payment));
    await fixture.run(5 * SECOND);
    expect(status()).toBe("paid");
  });

  it("9 · a session is rejected only after the last scheduled read found no payment", async () => {
    const fixture = await openFixture("write-only", { ledger });
    const placed = await fixture.placeOrder();
    const status = () => fixture.store.probe.status(placed.ref.orderId);
    const { session } = await fixture.startCheckout(placed);
    const graceOverAt = (session?.expiresAt ?? 0) + limits.graceMs;
    await fixture.advanceTime(graceOverAt - fixture.clock.now() - MINUTE);
    expect(status()).toBe("open");
    await fixture.advanceTime(2 * MINUTE);
    await expectPaymentIn(fixture, placed, "closed");
    expect(status()).toBe("refused");
  });
});

async function recordedEntry(fixture: ScenarioFixture, paymentId: string) {
  return (await fixture.ledger.timeline({ paymentId })).findLast(({ kind }) => kind === "recorded");
}
