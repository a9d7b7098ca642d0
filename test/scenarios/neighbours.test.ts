import { startCheckout } from "@tillkit/core";
import { createReadThenWriteStore } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { FIVE_THOUSAND, LEDGERS, MINUTE, openScene } from "./scene.ts";

describe.each(LEDGERS)("two shops under one key, with the ledger in %s", (ledger) => {
  it("whose orders have the same number: the payment of one never pays the other's", async () => {
    const scene = await openScene("read-then-write", {
      ledger,
      neighbour: (clock) => createReadThenWriteStore({ clock, storeId: "neighbour" }),
    });
    const { neighbour, store } = scene;
    if (!neighbour) throw new Error("There is a neighbour.");
    const own = await scene.placeOrder();
    const others = await neighbour.placeOrder({ total: FIVE_THOUSAND, title: "Two baskets", language: "fr" });
    expect(others.ref.orderId).toBe(own.ref.orderId);
    const payment = await scene.pressPay(own);
    const order = await neighbour.adapter.findOrder(others.ref, "");
    if (!order) throw new Error("The neighbour's order was placed.");
    expect(await startCheckout(scene.engine(), order)).toMatchObject({ say: "redirect" });

    await scene.deliver(scene.service.pay(payment));
    // Whatever an event says besides, an order number in it finds nothing.
    const named = { metadata: { order_id: others.ref.orderId, store: "neighbour" } };
    await scene.deliver(scene.service.event("PAYMENT_SUCCEEDED", named));
    await scene.run(5 * MINUTE);
    expect(store.probe.effects()).toMatchObject([{ orderId: own.ref.orderId, paymentId: payment.id }]);
    expect(neighbour.probe.effects()).toEqual([]);
  });
});
