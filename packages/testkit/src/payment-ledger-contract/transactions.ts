import type { PaidTransaction } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import { commit, type GetLedger, givenPayments, NOON, ORDER, payment, timelineEntry, transaction } from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };

export function testTransactions(getLedger: GetLedger): void {
  it("a commit stores the transactions of a payment together with the payment", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const next = payment("p1", { version: 2, state: "verified", transactionId: "t1" });
    const stored = [transaction("t1"), transaction("t2", { code: null, isRead: false, evidence: "resemblance" })];
    await commit(getLedger(), { payment: { next, expect: 1 }, transactions: stored });
    expect(await getLedger().transactions("p1")).toEqual(stored);
    expect(await getLedger().transactions("p2")).toEqual([]);
  });

  it("a rejected commit stores none of its transactions", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const stale = { next: payment("p1", { version: 3 }), expect: 2 };
    const change = { payment: stale, transactions: [transaction("t1")], timeline: [timelineEntry("x")] };
    expect(await getLedger().commit(change)).toBe("stale");
    expect(await getLedger().transactions("p1")).toEqual([]);
  });

  it("a transaction replaces the one with the same id of the same payment, and keeps its place", async () => {
    const candidate = { code: null, isRead: false, evidence: "resemblance" } as const;
    await commit(getLedger(), { transactions: [transaction("t2", candidate), transaction("t1")] });
    const read = transaction("t2", { amount: { minor: 4999, currency: "USD" }, evidence: "person", at: NOON + 7 });
    await commit(getLedger(), { transactions: [transaction("t0"), read] });
    expect(await getLedger().transactions("p1")).toEqual([read, transaction("t1"), transaction("t0")]);
  });

  it("a transaction can be a candidate of several payments, and each payment keeps its own record of it", async () => {
    const [ours, theirs] = [transaction("t1"), transaction("t1", { paymentId: "p2", evidence: "resemblance" })];
    await commit(getLedger(), { transactions: [ours] });
    await commit(getLedger(), { transactions: [theirs] });
    expect(await getLedger().transactions("p1")).toEqual([ours]);
    expect(await getLedger().transactions("p2")).toEqual([theirs]);
  });

  it("a payment is found by the id and the code of a transaction that certainly paid it, never of a candidate", async () => {
    await givenPayments(getLedger(), payment("p1"), payment("p2", { ref: OTHER_ORDER }));
    const decided = transaction("t2", { code: "txn_T2", evidence: "person" });
    const candidate = transaction("t3", { code: "txn_T3", evidence: "resemblance" });
    const ofOther = transaction("t1", { code: "txn_T1", paymentId: "p2", evidence: "resemblance" });
    await commit(getLedger(), { transactions: [transaction("t1", { code: "txn_T1" }), decided, candidate, ofOther] });
    for (const transactionId of ["t1", "txn_T1", "t2", "txn_T2"]) expect(await idOf(transactionId)).toBe("p1");
    for (const transactionId of ["t3", "txn_T3", "t4", ""]) expect(await idOf(transactionId)).toBeNull();
    await commit(getLedger(), { transactions: [{ ...candidate, evidence: "identity" }] });
    expect(await idOf("t3")).toBe("p1");
  });

  it("of several payments of one transaction the newest is found, and of the same time the later insert", async () => {
    const payments = { older: NOON - 1, newest: NOON, "same moment": NOON };
    for (const [id, createdAt] of Object.entries(payments)) {
      await givenPayments(getLedger(), payment(id, { createdAt, ref: { storeId: "hats", orderId: id } }));
    }
    const named = (paymentId: string) => commit(getLedger(), { transactions: [transaction("t1", { paymentId })] });
    await named("newest");
    await named("older");
    expect(await idOf("t1")).toBe("newest");
    await named("same moment");
    await named("newest");
    expect(await idOf("t1")).toBe("same moment");
  });

  it("transactions are exported with their order and stay when it is pruned and erased", async () => {
    const stored = [transaction("t1"), transaction("t2", { evidence: "resemblance" })];
    await givenPayments(getLedger(), payment("p1", { state: "recorded" }), payment("p2", { ref: OTHER_ORDER }));
    await commit(getLedger(), { transactions: [...stored, transaction("t3", { paymentId: "p2" })] });
    expect((await getLedger().exportOrder(ORDER))?.transactions).toEqual(stored);
    expect(await getLedger().prune({ before: NOON + 1, limit: 9 })).toMatchObject({ payments: 1 });
    expect(await getLedger().transactions("p1")).toEqual(stored);
    expect(await getLedger().eraseOrders([ORDER])).toEqual({ erased: 1, unfinished: 0 });
    expect(await getLedger().transactions("p1")).toEqual(stored);
  });

  it("transactions are erased with their store, those of an unfinished payment stay", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "recorded" }), payment("p2", { ref: OTHER_ORDER }));
    await commit(getLedger(), { transactions: [transaction("t1"), transaction("t2", { paymentId: "p2" })] });
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 1, unfinished: 1 });
    expect(await getLedger().transactions("p1")).toEqual([]);
    expect(await idOf("t1")).toBeNull();
    const kept: readonly PaidTransaction[] = [transaction("t2", { paymentId: "p2" })];
    expect(await getLedger().transactions("p2")).toEqual(kept);
  });

  async function idOf(transactionId: string): Promise<string | null> {
    return (await getLedger().find({ transactionId }))?.id ?? null;
  }
}
