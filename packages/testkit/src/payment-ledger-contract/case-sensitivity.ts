import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { commit, givenPayments, NOON, ORDER, payment, refund, session, transaction } from "./samples.ts";

/** Identifiers of the service and of platforms are compared byte by byte: `cs_A` and `cs_a` are two sessions. */
export function testCaseSensitivity(getLedger: GetLedger): void {
  it("two payments are distinct when their id, order, session, transaction and attempt differ in case only", async () => {
    const lower = payment("p-a", {
      ref: { storeId: "hats", orderId: "order-a" },
      attempt: "try-a",
      state: "verified",
      session: session("cs_a"),
      transactionId: "txn_a",
    });
    const upper = payment("p-A", {
      ref: { storeId: "hats", orderId: "order-A" },
      attempt: "try-A",
      state: "verified",
      session: session("cs_A"),
      transactionId: "txn_A",
    });
    await givenPayments(getLedger(), lower, upper);
    const transactions = [lower, upper].map(({ id, transactionId }) =>
      transaction(transactionId ?? "", { paymentId: id, code: `code of ${transactionId}` }),
    );
    await commit(getLedger(), { transactions });
    for (const one of [lower, upper]) {
      const { id, ref, attempt, transactionId } = one;
      expect(await getLedger().find({ id })).toEqual(one);
      expect(await getLedger().find({ sessionId: one.session?.id ?? "" })).toEqual(one);
      expect(await getLedger().find({ transactionId: transactionId ?? "" })).toEqual(one);
      expect(await getLedger().find({ transactionId: `code of ${transactionId}` })).toEqual(one);
      expect(await getLedger().find({ storeId: ref.storeId, attempt })).toEqual(one);
      expect(await getLedger().paymentsOfOrder(ref)).toEqual([one]);
    }
  });

  it("two refunds are distinct when their keys differ in case only", async () => {
    const [lower, upper] = [refund("key-a"), refund("key-A", { state: "completed", refundId: "ref_1" })];
    await commit(getLedger(), { refunds: [lower] });
    await commit(getLedger(), { refunds: [upper] });
    expect(await getLedger().refunds("p1")).toEqual([lower, upper]);
  });

  it("two orders are locked separately when their ids differ in case only", async () => {
    const other = { ...ORDER, orderId: ORDER.orderId.toUpperCase() };
    expect(await getLedger().lockOrder(ORDER, "worker a", NOON, 60_000)).toBe(1);
    expect(await getLedger().lockOrder(other, "worker b", NOON, 60_000)).toBe(1);
  });
}
