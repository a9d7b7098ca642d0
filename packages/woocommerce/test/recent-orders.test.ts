import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { createRecentOrders } from "../src/adapter/recent-orders.ts";
import { readWooOrder } from "../src/store/woo-order.ts";

describe("recent orders", () => {
  it("a recent order is returned once and only for a few seconds", async () => {
    const clock = createManualClock();
    const recentOrders = createRecentOrders(clock);
    recentOrders.put(wooOrder(1));
    expect(recentOrders.take("1")?.id).toBe(1);
    expect(recentOrders.take("1")).toBeNull();
    recentOrders.put(wooOrder(1));
    await clock.advance(5_001); // the limit is five seconds
    expect(recentOrders.take("1")).toBeNull();
  });

  it("the oldest recent order is dropped when the limit is reached", () => {
    const recentOrders = createRecentOrders(createManualClock());
    // The limit is 500 orders.
    for (let id = 1; id <= 501; id += 1) recentOrders.put(wooOrder(id));
    expect(recentOrders.take("1")).toBeNull();
    expect(recentOrders.take("2")?.id).toBe(2);
  });
});

function wooOrder(id: number) {
  const body = { id, order_key: "k", status: "pending", currency: "XOF", total: "1", date_paid_gmt: null };
  return readWooOrder({ ...body, payment_method: "tillkit" }, String(id));
}
