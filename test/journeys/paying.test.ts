import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KINDS, linkIn, openWorld, type World } from "./world.ts";

describe.each(KINDS)("a shopper of a shop that is %s", (kind) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(kind);
  });
  afterEach(async () => {
    await world.close();
  });

  const timesPaid = (orderId: string) => world.store.probe.effects(orderId).length;

  it("pays by card, comes back, and the order is paid once", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun, { method: "card" });
    // While the webhook's worker tells the shop, the shopper sees our page, which looks again by itself.
    await world.until(async () => expect((await world.visit(await world.returnLink(begun))).status).toBe(303));
    expect((await world.payment(begun.paymentId)).state).toBe("recorded");
    expect(world.store.probe.effects(begun.ref.orderId)).toEqual([
      expect.objectContaining({ paymentId: begun.paymentId, total: { minor: 5000, currency: "XOF" } }),
    ]);
  });

  it("pays by mobile money that stays pending, and sees it complete while waiting on our page", async () => {
    await world.loseWebhooks();
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun, { method: "mtn", outcome: "pending" });
    const waiting = await world.visit(await world.returnLink(begun));
    expect(waiting.status).toBe(200);
    expect(waiting.text).toContain("5\u202f000\u00a0F\u00a0CFA");
    const again = linkIn(waiting.text, "return", await world.returnLink(begun));
    await completeTransaction(world, begun.sessionId);
    await world.until(async () => {
      await world.pass(1_000);
      expect((await world.visit(again)).status).toBe(303);
    });
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("is declined, tries again and pays", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun, { method: "card", outcome: "failed" });
    expect(timesPaid(begun.ref.orderId)).toBe(0);
    await world.pay(begun, { method: "card" });
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("cancels, changes their mind and pays after all: nothing was cancelled", async () => {
    const placed = await world.placeOrder();
    const begun = await world.pressPay(placed);
    const page = await world.visit(await world.cancelLink(begun));
    expect(page.status).toBe(303);
    expect(page.location).toBe(await world.store.adapter.shopperUrl(placed.ref, placed.attempt, "cancelled"));
    expect((await world.pressPay(placed)).url).toBe(begun.url);
    await world.pay(begun);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("comes back in another browser, without any cookie of the shop", async () => {
    await world.loseWebhooks();
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    const page = await world.visit(await world.returnLink(begun), { "User-Agent": "a wallet's own browser" });
    expect(page.status).toBe(303);
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("closes the browser before the return: the webhook alone pays the order", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("pays while webhooks are lost: the return alone pays the order", async () => {
    await world.loseWebhooks();
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    await world.visit(await world.returnLink(begun));
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("pays while webhook and return are both lost: the timer alone pays the order within ten minutes", async () => {
    await world.loseWebhooks();
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    for (let minute = 0; minute < 10; minute += 1) await world.pass(60_000);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("pays in two tabs: one paid order, one visible duplicate", async () => {
    await world.loseWebhooks();
    const placed = await world.placeOrder();
    const first = await world.pressPay(placed);
    await world.pass(51 * 60_000);
    const second = await world.pressPay(placed);
    expect(second.sessionId).not.toBe(first.sessionId);
    await Promise.all([world.pay(first), world.pay(second)]);
    await Promise.all([world.returnLink(first), world.returnLink(second)].map(async (link) => world.visit(await link)));
    // Both were looked at in the same moment, and one order has one writer: the timer looks at the other one again.
    for (let minute = 0; minute < 10; minute += 1) await world.pass(60_000);
    await world.until(async () => {
      const states = [await world.payment(first.paymentId), await world.payment(second.paymentId)];
      expect(states.map(({ state }) => state).sort()).toEqual(["duplicate", "recorded"]);
    });
    expect(timesPaid(placed.ref.orderId)).toBe(1);
    await world.until(async () => expect(await world.store.probe.notes(placed.ref.orderId)).toHaveLength(1));
  });

  it("whose mobile money succeeds after the session expired still gets the order", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun, { method: "wave", outcome: "pending" });
    await world.pass(62 * 60_000);
    await world.until(async () => expect((await world.payment(begun.paymentId)).state).toBe("expired"));
    await completeTransaction(world, begun.sessionId);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("pays an order in dollars and cents exactly", async () => {
    const begun = await world.pressPay(await world.placeOrder({ minor: 1999, currency: "USD" }));
    await world.pay(begun, { method: "card" });
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });
});

async function completeTransaction(world: World, sessionId: string): Promise<void> {
  const { data } = (await (
    await fetch(`${world.sandbox.baseUrl}/transactions?checkoutSessionId=${sessionId}`, {
      headers: { "X-API-Key": world.sandbox.keys.test.secret },
    })
  ).json()) as { data: { transaction_id: string }[] };
  await world.control("POST", `transactions/${data[0]?.transaction_id}/complete`);
}
