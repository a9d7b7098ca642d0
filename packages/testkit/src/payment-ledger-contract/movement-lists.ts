import type { Dispute } from "@tillkit/core";
import type { PaidTransaction } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import { commit, type GetLedger, givenPayments, NOON, payment, refund } from "./samples.ts";

function transaction(id: string, change: Partial<PaidTransaction> = {}): PaidTransaction {
  const amount = { minor: 5000, currency: "XOF" };
  return { id, code: null, paymentId: "p1", amount, isRead: true, evidence: "identity", at: NOON, ...change };
}

const dispute: Dispute = {
  id: "d1",
  paymentId: "p2",
  transactionId: null,
  amount: null,
  reason: "",
  status: "pending",
  outcome: null,
  evidenceDueBy: null,
  openedAt: NOON,
  updatedAt: NOON,
};

export function testMovementLists(getLedger: GetLedger): void {
  it("payments are listed with their own transactions, refunds and disputes, in the order that was asked for", async () => {
    const [first, second] = [payment("p1"), payment("p2", { ref: { storeId: "hats", orderId: "order-2" } })];
    await givenPayments(getLedger(), first, second);
    const transactions = [transaction("t1"), transaction("t2", { evidence: "resemblance" })];
    await commit(getLedger(), { transactions, refunds: [refund("r1")], disputes: [dispute] });
    expect(await getLedger().paymentsWithMovements(["p2", "missing", "p1"])).toEqual([
      { payment: second, movements: { transactions: [], refunds: [], disputes: [dispute] } },
      { payment: first, movements: { transactions, refunds: [refund("r1")], disputes: [] } },
    ]);
    expect(await getLedger().paymentsWithMovements([])).toEqual([]);
  });

  it("payments of several transactions are listed once, the newest further transaction first", async () => {
    await commit(getLedger(), { transactions: [transaction("t1"), transaction("t1", { paymentId: "p2" })] });
    expect(await getLedger().paymentsOfSeveralTransactions({ limit: 9 })).toEqual([]);
    await commit(getLedger(), { transactions: [transaction("t2"), transaction("t2", { paymentId: "p2" })] });
    // A transaction that is learned again is no further transaction.
    await commit(getLedger(), { transactions: [transaction("t1"), transaction("t3")] });
    expect(await getLedger().paymentsOfSeveralTransactions({ limit: 9 })).toEqual(["p1", "p2"]);
    expect(await getLedger().paymentsOfSeveralTransactions({ limit: 1 })).toEqual(["p1"]);
  });
}
