import { expect, it } from "vitest";
import { personal } from "./retention.ts";
import {
  commit,
  delivery,
  givenPayments,
  type LedgerOfTest,
  NOON,
  ORDER,
  payment,
  refund,
  timelineEntry,
} from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };
const OTHER_STORE = { storeId: "shoes", orderId: "order-1" };

export function testStoreErasure(ledger: LedgerOfTest): void {
  const records = () => ledger().records;

  it("eraseStore removes final payments with refunds and timeline, and the store's records with the last payment", async () => {
    await givenPayments(
      ledger(),
      personal("p1"),
      personal("p2", { ref: OTHER_ORDER }),
      personal("p3", { ref: OTHER_STORE }),
    );
    for (const paymentId of ["p1", "p3"]) {
      await commit(ledger(), {
        refunds: [refund(`r ${paymentId}`, { paymentId })],
        timeline: [timelineEntry("paid", { paymentId })],
      });
      await ledger().receive([delivery(paymentId)]);
      const processed = {
        endpointId: "endpoint-1",
        digest: `digest of ${paymentId}`,
        outcome: "processed",
        paymentId,
        processedAt: NOON,
      } as const;
      await commit(ledger(), { processed: [processed] });
    }
    await records().put("hats", "shop", "main", 1, "new");
    await records().put("shoes", "shop", "main", 1, "new");
    for (const storeId of ["hats", "shoes"]) await ledger().secrets.put(storeId, "token", "main", 1, "new");
    expect(await ledger().eraseStore("hats")).toEqual({ erased: 2, unfinished: 0 });
    expect(await ledger().paymentsOfOrder(ORDER)).toEqual([]);
    expect(await ledger().refunds("p1")).toEqual([]);
    expect(await ledger().timeline({ paymentId: "p1" })).toEqual([]);
    expect((await ledger().delivery("endpoint-1", "digest of p1"))?.bytes).toHaveLength(0);
    expect(await records().get("hats", "shop", "main")).toBeNull();
    expect(await ledger().secrets.get("hats", "token", "main")).toBeNull();
    expect(await ledger().secrets.get("shoes", "token", "main")).not.toBeNull();
    expect(await ledger().eraseStore("hats")).toEqual({ erased: 0, unfinished: 0 });

    expect(await ledger().find({ id: "p3" })).toEqual(personal("p3", { ref: OTHER_STORE }));
    expect(await ledger().refunds("p3")).toHaveLength(1);
    expect(await ledger().timeline({ paymentId: "p3" })).toHaveLength(1);
    expect((await ledger().delivery("endpoint-1", "digest of p3"))?.bytes).not.toHaveLength(0);
    expect(await records().get("shoes", "shop", "main")).not.toBeNull();
  });

  it("eraseStore keeps the store's records while one of its payments is not final", async () => {
    await givenPayments(ledger(), personal("p1"), payment("p2", { state: "open", ref: OTHER_ORDER }));
    await records().put("hats", "shop", "main", 1, "new");
    expect(await ledger().eraseStore("hats")).toEqual({ erased: 1, unfinished: 1 });
    expect(await records().get("hats", "shop", "main")).not.toBeNull();
    await commit(ledger(), {
      payment: { next: payment("p2", { state: "closed", ref: OTHER_ORDER, version: 2 }), expect: 1 },
    });
    expect(await ledger().eraseStore("hats")).toEqual({ erased: 1, unfinished: 0 });
    expect(await records().get("hats", "shop", "main")).toBeNull();
  });

  it("eraseStore removes a store with many payments", async () => {
    const orders = Array.from({ length: 230 }, (_, index) => ({ storeId: "hats", orderId: `order-${index}` }));
    await Promise.all(orders.map((ref) => givenPayments(ledger(), payment(ref.orderId, { ref, state: "closed" }))));
    expect(await ledger().eraseStore("hats")).toEqual({ erased: 230, unfinished: 0 });
    expect(await ledger().countPayments({ storeId: "hats" })).toMatchObject({ closed: 0 });
  });
}
