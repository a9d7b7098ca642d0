import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { createToldOrders } from "../src/adapter/told-orders.ts";
import { readWooOrder } from "../src/adapter/woo-order.ts";

describe("an order that was just read", () => {
  it("is good for one write, and only for a few seconds", async () => {
    const clock = createManualClock();
    const told = createToldOrders(clock);
    told.keep(orderOf(1));
    expect(told.take("1")?.id).toBe(1);
    expect(told.take("1")).toBeNull();
    told.keep(orderOf(1));
    await clock.advance(5_001);
    expect(told.take("1")).toBeNull();
  });

  it("is forgotten when a great many others were read since", () => {
    const told = createToldOrders(createManualClock());
    for (let id = 1; id <= 501; id += 1) told.keep(orderOf(id));
    expect(told.take("1")).toBeNull();
    expect(told.take("2")?.id).toBe(2);
  });
});

function orderOf(id: number) {
  const body = { id, order_key: "k", status: "pending", currency: "XOF", total: "1", date_paid_gmt: null };
  return readWooOrder({ ...body, payment_method: "tillkit" }, String(id));
}
