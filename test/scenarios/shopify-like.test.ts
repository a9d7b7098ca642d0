import { limits, recordCancel } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { HOUR, LEDGERS, MINUTE, openScene, paymentIn, type Scene, SECOND } from "./scene.ts";

describe.each(LEDGERS)("a Shopify-like shop, with the ledger in %s", (ledger) => {
  it("6 · the stored redirect_url is opened two hours later: a new payment with its own key, under the same attempt", async () => {
    const scene = await openScene("write-only", { ledger });
    const placed = await scene.placeOrder();
    const early = await scene.pressPay(placed);
    await scene.pass(2 * HOUR);
    const late = await scene.pressPay(placed);
    expect(late.id).not.toBe(early.id);
    expect(late.attempt).toBe(early.attempt);
    expect(scene.service.posts.map(({ key }) => key)).toEqual([early.id, late.id]);

    await scene.deliver(scene.service.pay(late));
    await scene.run(5 * SECOND);
    // The first page was paid as well, long after it lapsed: shown to the owner, never a second effect.
    await scene.deliver(scene.service.pay(early));
    await scene.run(5 * SECOND);
    expect(scene.store.probe.effects()).toMatchObject([{ paymentId: late.id, attempt: placed.attempt }]);
    expect((await scene.payment(early.id)).state).toBe("duplicate");
    expect(await scene.store.probe.notes(placed.ref.orderId)).toHaveLength(1);
  });

  it("7 · both tabs of one group are paid at the same moment and the process dies: the group is paid once", async () => {
    const scene = await openScene("write-only", { ledger });
    const one = await scene.placeOrder();
    const other = await scene.store.openSecondTab(one.ref.orderId);
    expect(other.ref).toEqual(one.ref);
    const payments = [await scene.pressPay(one), await scene.pressPay(other)];
    scene.store.setLatency(2 * SECOND);
    for (const payment of payments) await scene.deliver(scene.service.pay(payment));
    await scene.run(3 * SECOND);
    scene.kill();
    await scene.run(3 * MINUTE);
    const [effect] = scene.store.probe.effects();
    expect(scene.store.probe.effects()).toHaveLength(1);
    expect(effect?.paymentId).toBe((await paymentIn(scene, one, "recorded")).id);
    await paymentIn(scene, one, "duplicate");
  });

  it("8 · a shop that cannot be read says once where the shopper goes next: kept, also through a crash", async () => {
    const scene = await openScene("write-only", { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    await scene.deliver(scene.service.pay(payment));
    await scene.run(5 * SECOND);
    scene.kill();
    const recorded = await scene.payment(payment.id);
    expect(recorded).toMatchObject({ state: "recorded", continueUrl: "https://write-only.example/thank-you/1" });
    expect(await evidenceOf(scene, payment.id)).toBe("acknowledged");
    for (let time = 0; time < 3; time += 1) await scene.confirm(payment);
    expect((await scene.payment(payment.id)).continueUrl).toBe(recorded.continueUrl);
  });

  it("8 · the only answer of a shop that cannot be read is lost: told again, paid once", async () => {
    const scene = await openScene("write-only", { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    scene.store.failNextWrite("lost-after-effect");
    await scene.deliver(scene.service.pay(payment));
    await scene.run(2 * MINUTE);
    await paymentIn(scene, placed, "recorded");
    expect(scene.store.probe.effects()).toHaveLength(1);
  });

  it("9 · Pending only after the buyer acted; neither cancel nor failure nor expiry rejects, and a late success still pays", async () => {
    const scene = await openScene("write-only", { ledger });
    const placed = await scene.placeOrder();
    const status = () => scene.store.probe.status(placed.ref.orderId);
    const payment = await scene.pressPay(placed);
    await scene.run(5 * MINUTE);
    expect(status()).toBe("open");

    await recordCancel(scene.engine(), payment.id);
    const about = { checkout_session_id: scene.service.sessionOf(payment).id };
    await scene.deliver(scene.service.event("PAYMENT_FAILED", { ...about, transaction_id: "first try" }));
    await scene.run(MINUTE);
    expect(status()).toBe("open");

    await scene.deliver(scene.service.event("PAYMENT_CREATED", { ...about, transaction_id: "second try" }));
    await scene.run(MINUTE);
    expect(status()).toBe("pending");

    await scene.deliver(scene.service.event("PAYMENT_FAILED", { ...about, transaction_id: "second try" }));
    await scene.pass(30 * HOUR);
    expect((await scene.payment(payment.id)).state).toBe("expired");
    expect(status()).toBe("pending");

    await scene.deliver(scene.service.pay(payment));
    await scene.run(5 * SECOND);
    expect(status()).toBe("paid");
  });

  it("9 · Reject when it is final: no money came until the last scheduled read, and not a moment before", async () => {
    const scene = await openScene("write-only", { ledger });
    const placed = await scene.placeOrder();
    const status = () => scene.store.probe.status(placed.ref.orderId);
    const { session } = await scene.pressPay(placed);
    const graceOverAt = (session?.expiresAt ?? 0) + limits.graceMs;
    await scene.pass(graceOverAt - scene.clock.now() - MINUTE);
    expect(status()).toBe("open");
    await scene.pass(2 * MINUTE);
    await paymentIn(scene, placed, "closed");
    expect(status()).toBe("refused");
  });
});

async function evidenceOf(scene: Scene, paymentId: string): Promise<string | undefined> {
  return (await scene.ledger.timeline({ paymentId })).findLast(({ kind }) => kind === "recorded")?.detail;
}
