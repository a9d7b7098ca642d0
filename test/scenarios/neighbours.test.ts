import { startCheckout } from "@tillkit/core";
import { createReadThenWriteStore } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { FIVE_THOUSAND, LEDGERS, MINUTE, openFixture } from "./fixture.ts";

describe.each(LEDGERS)("two shops under one key, with the ledger in %s", (ledger) => {
  it("a payment of one shop never pays the order of another shop with the same order number", async () => {
    const fixture = await openFixture("read-then-write", {
      ledger,
      otherStore: (clock) => createReadThenWriteStore({ clock, storeId: "neighbour" }),
    });
    const { otherStore, store } = fixture;
    if (!otherStore) throw new Error("The other store must exist.");
    const ownOrder = await fixture.placeOrder();
    const otherOrder = await otherStore.placeOrder({ total: FIVE_THOUSAND, title: "Two baskets", language: "fr" });
    expect(otherOrder.ref.orderId).toBe(ownOrder.ref.orderId);
    const payment = await fixture.startCheckout(ownOrder);
    const order = await otherStore.adapter.findOrder(otherOrder.ref, "");
    if (!order) throw new Error("The other store's order must exist.");
    expect(await startCheckout(fixture.engine(), order)).toMatchObject({ status: "redirect" });

    await fixture.deliver(fixture.service.pay(payment));
    // An order number in an event never finds a payment.
    const named = { metadata: { order_id: otherOrder.ref.orderId, store: "neighbour" } };
    await fixture.deliver(fixture.service.event("PAYMENT_SUCCEEDED", named));
    await fixture.run(5 * MINUTE);
    expect(store.probe.effects()).toMatchObject([{ orderId: ownOrder.ref.orderId, paymentId: payment.id }]);
    expect(otherStore.probe.effects()).toEqual([]);
  });
});
