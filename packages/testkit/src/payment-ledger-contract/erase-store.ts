import { expect, it } from "vitest";
import { personal } from "./retention.ts";
import {
  commit,
  delivery,
  type GetLedger,
  givenPayments,
  NOON,
  ORDER,
  payment,
  refund,
  timelineEntry,
} from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };
const OTHER_STORE = { storeId: "shoes", orderId: "order-1" };

export function testStoreErasure(getLedger: GetLedger): void {
  const records = () => getLedger().records;

  it("eraseStore removes a store's final payments, refunds, timeline, records and secrets, and no other store's", async () => {
    await givenPayments(
      getLedger(),
      personal("p1"),
      personal("p2", { ref: OTHER_ORDER }),
      personal("p3", { ref: OTHER_STORE }),
    );
    for (const paymentId of ["p1", "p3"]) {
      await commit(getLedger(), {
        refunds: [refund(`r ${paymentId}`, { paymentId })],
        timeline: [timelineEntry("paid", { paymentId })],
      });
      await getLedger().receive([delivery(paymentId)]);
      const processed = {
        endpointId: "endpoint-1",
        digest: `digest of ${paymentId}`,
        outcome: "processed",
        paymentId,
        processedAt: NOON,
      } as const;
      await commit(getLedger(), { processed: [processed] });
    }
    await records().put("hats", "shop", "main", 1, "new");
    await records().put("shoes", "shop", "main", 1, "new");
    for (const storeId of ["hats", "shoes"]) await getLedger().secrets.put(storeId, "token", "main", 1, "new");
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 2, unfinished: 0 });
    expect(await getLedger().paymentsOfOrder(ORDER)).toEqual([]);
    expect(await getLedger().refunds("p1")).toEqual([]);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([]);
    expect((await getLedger().delivery("endpoint-1", "digest of p1"))?.bytes).toHaveLength(0);
    expect(await records().get("hats", "shop", "main")).toBeNull();
    expect(await getLedger().secrets.get("hats", "token", "main")).toBeNull();
    expect(await getLedger().secrets.get("shoes", "token", "main")).not.toBeNull();
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 0, unfinished: 0 });

    expect(await getLedger().find({ id: "p3" })).toEqual(personal("p3", { ref: OTHER_STORE }));
    expect(await getLedger().refunds("p3")).toHaveLength(1);
    expect(await getLedger().timeline({ paymentId: "p3" })).toHaveLength(1);
    expect((await getLedger().delivery("endpoint-1", "digest of p3"))?.bytes).not.toHaveLength(0);
    expect(await records().get("shoes", "shop", "main")).not.toBeNull();
  });

  it("eraseStore keeps the store's records while one of its payments is not final", async () => {
    await givenPayments(getLedger(), personal("p1"), payment("p2", { state: "open", ref: OTHER_ORDER }));
    await records().put("hats", "shop", "main", 1, "new");
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 1, unfinished: 1 });
    expect(await records().get("hats", "shop", "main")).not.toBeNull();
    await commit(getLedger(), {
      payment: { next: payment("p2", { state: "closed", ref: OTHER_ORDER, version: 2 }), expect: 1 },
    });
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 1, unfinished: 0 });
    expect(await records().get("hats", "shop", "main")).toBeNull();
  });

  it("eraseStore removes a store with many payments", async () => {
    const orders = Array.from({ length: 230 }, (_, index) => ({ storeId: "hats", orderId: `order-${index}` }));
    await Promise.all(orders.map((ref) => givenPayments(getLedger(), payment(ref.orderId, { ref, state: "closed" }))));
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 230, unfinished: 0 });
    expect(await getLedger().countPayments({ storeId: "hats" })).toMatchObject({ closed: 0 });
  });
}
