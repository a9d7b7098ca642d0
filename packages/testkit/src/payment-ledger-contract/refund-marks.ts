import { expect, it } from "vitest";
import { commit, type GetLedger, givenPayments, NOON, ORDER, payment, refund } from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };

export function testRefundMarks(getLedger: GetLedger): void {
  it("a refund keeps its mark, the time when it was last shown, and the key of its unmarked request", async () => {
    const marked = refund("r1", { mark: "TKSAB123CD456", markReadAt: NOON + 5 });
    const unmarked = refund("r2", { mark: null, unmarkedKey: "r2 unmarked" });
    await commit(getLedger(), { refunds: [marked, unmarked] });
    expect(await getLedger().refunds("p1")).toEqual([marked, unmarked]);
    const shown = refund("r1", { mark: "TKSAB123CD456", markReadAt: NOON + 9 });
    await commit(getLedger(), { refunds: [shown, { ...unmarked, unmarkedKey: null }] });
    expect(await getLedger().refunds("p1")).toEqual([shown, refund("r2")]);
  });

  it("a credential without refunds, or whose refunds tell nothing, has no history of marks", async () => {
    expect(await getLedger().markHistory("credential-1")).toEqual({ readAt: null, refusedAt: null });
    await givenPayments(getLedger(), payment("p1"));
    await commit(getLedger(), { refunds: [refund("r1", { mark: "TKSAB123CD456" })] });
    expect(await getLedger().markHistory("credential-1")).toEqual({ readAt: null, refusedAt: null });
  });

  it("the history of marks has the newest times of one credential", async () => {
    await givenPayments(
      getLedger(),
      payment("p1"),
      payment("p2", { ref: OTHER_ORDER }),
      payment("p3", { ref: { storeId: "shoes", orderId: "1" }, credentialId: "credential-2" }),
    );
    const refused = (key: string, paymentId: string, requestedAt: number) =>
      refund(key, { paymentId, requestedAt, unmarkedKey: `${key} unmarked` });
    await commit(getLedger(), {
      refunds: [
        refund("r1", { markReadAt: NOON + 3 }),
        refund("r2", { paymentId: "p2", markReadAt: NOON + 8, requestedAt: NOON + 50 }),
        refused("r3", "p2", NOON + 6),
        refused("r4", "p1", NOON + 4),
        refused("r5", "p3", NOON + 70),
      ],
    });
    expect(await getLedger().markHistory("credential-1")).toEqual({ readAt: NOON + 8, refusedAt: NOON + 6 });
    expect(await getLedger().markHistory("credential-2")).toEqual({ readAt: null, refusedAt: NOON + 70 });
    await commit(getLedger(), { refunds: [refund("r1", { markReadAt: NOON + 90 })] });
    expect(await getLedger().markHistory("credential-1")).toMatchObject({ readAt: NOON + 90 });
  });

  it("pruning and erasing an order keep its marks, which identify its refunds", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "recorded" }));
    const marked = refund("r1", { mark: "TKSAB123CD456", markReadAt: NOON + 5, state: "completed" });
    await commit(getLedger(), { refunds: [marked] });
    await getLedger().prune({ before: NOON + 1, limit: 9 });
    await getLedger().eraseOrders([ORDER]);
    expect(await getLedger().refunds("p1")).toEqual([{ ...marked, request: "" }]);
    expect(await getLedger().markHistory("credential-1")).toMatchObject({ readAt: NOON + 5 });
  });
}
