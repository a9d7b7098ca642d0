import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Evidence, judge } from "../../src/domain/judge.ts";
import { NO_MOVEMENTS } from "../../src/domain/movement.ts";
import { PAYMENT_STATES } from "../../src/domain/payment-states.ts";
import type { SessionReading } from "../../src/domain/session-reading.ts";
import { anOrder, aPayment } from "../fixture/samples.ts";

const NOW = 1_000_000;
const payment = aPayment();
const completedSession: Required<SessionReading> = {
  id: "session-1",
  status: "completed",
  wireAmount: 5000,
  currency: "XOF",
  reference: payment.reference,
  signedOrder: undefined,
  environment: "test",
  account: undefined,
  transactionId: "transaction-1",
  keyRefused: undefined,
};

const refund = {
  key: "r1",
  paymentId: payment.id,
  origin: "service",
  amount: payment.amountDue,
  request: "",
  transactionId: "transaction-1",
  state: "completed",
  refundId: "refund-1",
  requestedAt: 0,
  readOnlySince: null,
  mark: null,
  markReadAt: null,
  unmarkedKey: null,
  otherKeys: [],
} as const;

function evidenceWith(changes: Partial<Evidence> = {}): Evidence {
  return {
    payment,
    session: completedSession,
    order: anOrder(),
    siblings: [],
    movements: NO_MOVEMENTS,
    writeSettlesAt: null,
    now: NOW,
    ...changes,
  };
}

function evidenceWithSession(changes: SessionReading): Evidence {
  return evidenceWith({ session: { ...completedSession, ...changes } });
}

function findingOrStatus(facts: Evidence): string {
  const verdict = judge(facts);
  return verdict.status === "mismatch" ? verdict.finding.code : verdict.status;
}

describe("judge", () => {
  it("a payment is paid when session, order and payment agree", () => {
    expect(judge(evidenceWith())).toEqual({
      status: "paid",
      receipt: {
        paymentId: payment.id,
        ref: payment.ref,
        attempt: "",
        sessionId: "session-1",
        transactionId: "transaction-1",
        paid: { minor: 5000, currency: "XOF" },
        total: { minor: 5000, currency: "XOF" },
        environment: "test",
      },
    });
  });

  it("the receipt names the transaction that was identified even if the session names another transaction", () => {
    const amount = payment.amountDue;
    const identified = { id: "transaction-that-paid", code: null, paymentId: payment.id, amount, isRead: true, at: 0 };
    const transactions = [{ ...identified, evidence: "identity" }] as const;
    expect(judge(evidenceWith({ movements: { ...NO_MOVEMENTS, transactions } }))).toMatchObject({
      receipt: { transactionId: "transaction-that-paid" },
    });
  });

  it("a payment waits while its session is open or has an unknown status", () => {
    expect(judge(evidenceWithSession({ status: "open" })).status).toBe("wait");
    expect(judge(evidenceWithSession({ status: "paid" })).status).toBe("wait");
    expect(judge(evidenceWithSession({ status: "COMPLETED" })).status).toBe("wait");
  });

  it("a payment expires when its session has expired unpaid", () => {
    expect(judge(evidenceWithSession({ status: "expired" })).status).toBe("expired");
  });

  it.each([
    ["wireAmount", "not_verifiable"],
    ["currency", "not_verifiable"],
    ["reference", "not_verifiable"],
  ] as const)("a response without %s is not verifiable", (field, code) => {
    expect(findingOrStatus(evidenceWithSession({ [field]: undefined }))).toBe(code);
  });

  it.each(["id", "status"] as const)("a response without %s is unreadable", (field) => {
    expect(judge(evidenceWithSession({ [field]: undefined })).status).toBe("unreadable");
  });

  it("a stale response does not undo that money arrived", () => {
    const paid = aPayment({ state: "review", amountReceived: { minor: 50, currency: "XOF" } });
    expect(judge({ ...evidenceWithSession({ status: "open" }), payment: paid }).status).toBe("unreadable");
    expect(judge({ ...evidenceWithSession({ status: "expired" }), payment: paid }).status).toBe("unreadable");
    const finding = { code: "not_verifiable", missing: "currency" } as const;
    const notVerifiable = aPayment({ state: "review", finding });
    expect(judge({ ...evidenceWithSession({ status: "open" }), payment: notVerifiable }).status).toBe("unreadable");
  });

  describe("an order that its merchant marked as paid", () => {
    const markedByMerchant = anOrder({ paidBy: "owner", payable: false, markedPaid: { by: "awa", at: NOW - 1 } });
    const difference = {
      code: "amount_differs",
      expected: { minor: 5_000, currency: "XOF" },
      found: { minor: 50, currency: "XOF" },
    } as const;
    const amountReceived = { minor: 50, currency: "XOF" };
    const held = aPayment({ state: "review", finding: difference, amountReceived });
    const heldReading = { ...completedSession, wireAmount: 50 };

    it("a waiver names nobody where the shop does not say who marked the order as paid", () => {
      const order = { ...markedByMerchant, markedPaid: { by: null, at: NOW - 1 } };
      const verdict = judge(evidenceWith({ payment: held, session: heldReading, order }));
      expect(verdict).toMatchObject({ status: "accepted", waiver: { by: "", at: NOW - 1 } });
    });

    it("an order marked as paid accepts its only held payment, and the waiver names who and when", () => {
      const verdict = judge(evidenceWith({ payment: held, session: heldReading, order: markedByMerchant }));
      expect(verdict).toMatchObject({ status: "accepted", waiver: { by: "awa", at: NOW - 1 }, amountReceived });
      if (verdict.status !== "accepted") throw new Error(verdict.status);
      const accepted = { ...held, state: "verified", finding: null, waiver: verdict.waiver } as const;
      expect(judge(evidenceWith({ payment: accepted, session: heldReading, order: markedByMerchant }))).toMatchObject({
        status: "paid",
        receipt: { alreadyPaid: true, paid: amountReceived },
      });
    });

    it("an order marked as paid accepts neither of two held payments", () => {
      const other = aPayment({ id: "payment-0", state: "review", amountReceived });
      const facts = evidenceWith({ payment: held, session: heldReading, order: markedByMerchant, siblings: [other] });
      expect(findingOrStatus(facts)).toBe("amount_differs");
    });

    it("a payment that arrives after its order was marked as paid is held", () => {
      const late = evidenceWith({ order: markedByMerchant });
      expect(findingOrStatus(late)).toBe("paid_outside");
      const finding = { code: "paid_outside", paidBy: "owner", markedBy: null } as const;
      const heldBefore = aPayment({ state: "review", finding, amountReceived: { minor: 5000, currency: "XOF" } });
      expect(findingOrStatus({ ...late, payment: heldBefore })).toBe("paid_outside");
    });

    it("a payment is held, and is no duplicate, when the store cannot tell what paid the order", () => {
      expect(findingOrStatus(evidenceWith({ order: anOrder({ paidBy: "unclear", payable: false }) }))).toBe(
        "paid_outside",
      );
    });

    it("an order marked as paid accepts no session with another reference, environment or currency", () => {
      for (const wrong of [{ reference: "of another shop" }, { environment: "live" }, { currency: "USD" }]) {
        const facts = evidenceWith({ payment: held, session: { ...heldReading, ...wrong }, order: markedByMerchant });
        expect(judge(facts).status).toBe("mismatch");
      }
    });
  });

  it("a payment is paid when its session names no environment, and held when its session names another environment", () => {
    expect(judge(evidenceWithSession({ environment: undefined })).status).toBe("paid");
    expect(findingOrStatus(evidenceWithSession({ environment: "live" }))).toBe("other_environment");
  });

  it.each([
    [{ id: "session-2" }, "other_session"],
    [{ reference: "payment-2.abc" }, "other_reference"],
    [{ wireAmount: 4999 }, "amount_differs"],
    [{ wireAmount: 50 }, "amount_differs"],
    [{ wireAmount: 10000 }, "amount_differs"],
    [{ currency: "USD" }, "currency_differs"],
    [{ account: "acct_other" }, "other_account"],
  ] as const)("a session with another value is held: %j", (change, code) => {
    expect(findingOrStatus(evidenceWithSession(change))).toBe(code);
  });

  it("a session of another member account is held", () => {
    const delegated = { ...payment, account: "acct_one" };
    const facts = { payment: delegated, session: { ...completedSession, account: "acct_two" } };
    expect(findingOrStatus(evidenceWith(facts))).toBe("other_account");
  });

  it("a payment is held when the order's total changed after the redirect, in amount or currency", () => {
    expect(findingOrStatus(evidenceWith({ order: anOrder({ total: { minor: 6000, currency: "XOF" } }) }))).toBe(
      "total_changed",
    );
    expect(findingOrStatus(evidenceWith({ order: anOrder({ total: { minor: 5000, currency: "USD" } }) }))).toBe(
      "total_changed",
    );
  });

  it("a payment is held when its order is gone, cancelled, or of the other environment", () => {
    expect(findingOrStatus(evidenceWith({ order: null }))).toBe("order_gone");
    expect(findingOrStatus(evidenceWith({ order: anOrder({ payable: false }) }))).toBe("order_not_payable");
    expect(findingOrStatus(evidenceWith({ order: anOrder({ environment: "live" }) }))).toBe("other_environment");
  });

  it("another payment of a paid order is a duplicate, even if the first payment closed the order", () => {
    const winner = aPayment({ id: "payment-0", state: "recorded" });
    const order = anOrder({ payable: false, paidBy: "payment-0" });
    expect(judge(evidenceWith({ siblings: [winner], order }))).toMatchObject({
      status: "duplicate",
      paidBy: "payment-0",
    });
    expect(judge(evidenceWith({ order: anOrder({ paidBy: "outside" }) }))).toMatchObject({
      status: "duplicate",
      paidBy: "outside",
    });
  });

  it("the only payment of an order that shows the payment of another order is held and not refunded by rule, because other plug-ins copy orders", () => {
    const order = anOrder({ payable: false, paidBy: "payment-of-the-parent" });
    expect(judge(evidenceWith({ order }))).toMatchObject({
      status: "mismatch",
      finding: { code: "paid_outside", paidBy: "unclear" },
    });
  });

  it("a payment is recorded only after the service reported it, even if its store shows it earlier", () => {
    const order = anOrder({ paidBy: payment.id, payable: false });
    expect(judge(evidenceWith({ order, session: { ...completedSession, status: "open" } })).status).toBe("wait");
    expect(judge(evidenceWith({ order, payment: { ...payment, state: "verified" } })).status).toBe("recorded");
  });

  it("a payment whose write was not answered is written once more although its order shows it, also while the service does not respond", () => {
    const order = anOrder({ paidBy: payment.id, payable: false });
    const unanswered = {
      ...payment,
      state: "verified",
      storeTries: 1,
      storeWriteAt: NOW - 1,
      transactionId: "t1",
    } as const;
    const verdict = judge(evidenceWith({ order, payment: unanswered, session: {} }));
    expect(verdict).toMatchObject({
      status: "paid",
      receipt: { sessionId: "session-1", transactionId: "t1", unanswered: true },
    });
  });

  it("a payment under review that its store shows is recorded, and judged as paid where a restored ledger forgot that it was written", () => {
    const total = { minor: 6000, currency: "XOF" } as const;
    const order = anOrder({ paidBy: payment.id, payable: false, total });
    const held = { ...payment, state: "review" } as const;
    expect(judge(evidenceWith({ order, payment: { ...held, storeTries: 1 } })).status).toBe("recorded");
    // The owner's acceptance is lost with the ledger. Only our own write puts a payment's id on its order.
    expect(judge(evidenceWith({ order, payment: { ...held, storeWriteAt: 1 } })).status).toBe("paid");
    const another = anOrder({ paidBy: "outside", payable: false, total });
    expect(judge(evidenceWith({ order: another, payment: held })).status).toBe("duplicate");
  });

  it("a duplicate that a late write of ours put on its order counts again, also after a part of it went back and the total was changed, unless all of it is going back", () => {
    const duplicate = { ...payment, state: "duplicate", amountReceived: payment.amountDue, storeTries: 1 } as const;
    const order = anOrder({ paidBy: payment.id, payable: false });
    const verdictAfter = (minor: number, shown = order) => {
      const returning = { ...refund, state: "pending", amount: { minor, currency: "XOF" } } as const;
      const movements = { ...NO_MOVEMENTS, refunds: [returning] };
      return judge(evidenceWith({ order: shown, payment: duplicate, movements })).status;
    };
    expect(verdictAfter(200)).toBe("paid");
    const total = { minor: 4_800, currency: "XOF" } as const;
    expect(verdictAfter(200, anOrder({ paidBy: payment.id, payable: false, total }))).toBe("paid");
    expect(verdictAfter(200, anOrder())).toBe("duplicate");
    expect(verdictAfter(5_000)).toBe("duplicate");
  });

  it("a waiver covers exactly the accepted difference", () => {
    const finding = {
      code: "total_changed",
      expected: { minor: 5_000, currency: "XOF" },
      found: { minor: 6_000, currency: "XOF" },
    } as const;
    const waived = { ...payment, waiver: { finding, by: "owner", at: 1 } };
    const changed = anOrder({ total: { minor: 6000, currency: "XOF" } });
    expect(judge(evidenceWith({ payment: waived, order: changed }))).toMatchObject({
      status: "paid",
      receipt: { paid: { minor: 5000, currency: "XOF" }, total: { minor: 6000, currency: "XOF" } },
    });
    const other = anOrder({ total: { minor: 7000, currency: "XOF" } });
    expect(findingOrStatus(evidenceWith({ payment: waived, order: other }))).toBe("total_changed");
  });

  it("a receipt contains the amount received when a difference was waived", () => {
    const finding = {
      code: "amount_differs",
      expected: { minor: 5_000, currency: "XOF" },
      found: { minor: 4_000, currency: "XOF" },
    } as const;
    const verdict = judge({
      ...evidenceWithSession({ wireAmount: 4000 }),
      payment: { ...payment, waiver: { finding, by: "o", at: 1 } },
    });
    expect(verdict).toMatchObject({ status: "paid", receipt: { paid: { minor: 4000, currency: "XOF" } } });
  });

  it("a refunded payment is never verified again", () => {
    expect(judge(evidenceWith({ movements: { ...NO_MOVEMENTS, refunds: [refund] } })).status).toBe("refunded");
    expect(
      judge(
        evidenceWith({
          movements: { ...NO_MOVEMENTS, refunds: [{ ...refund, amount: { minor: 100, currency: "XOF" } }] },
        }),
      ).status,
    ).toBe("paid");
    expect(judge(evidenceWith({ payment: { ...payment, state: "refunding" } })).status).toBe("refunded");
  });

  it("a payment is paid only if every field agrees", () => {
    const sessions = fc.record(
      {
        id: fc.constantFrom("session-1", "session-2"),
        status: fc.constantFrom("open", "completed", "expired", "odd"),
        wireAmount: fc.constantFrom(5000, 4999, 0, -1, 5000.5),
        currency: fc.constantFrom("XOF", "USD", "xof"),
        reference: fc.constantFrom(payment.reference, "x.y"),
        environment: fc.constantFrom("test", "live", "odd"),
      },
      { requiredKeys: [] },
    );
    const orders = fc.constantFrom(
      null,
      anOrder(),
      anOrder({ payable: false }),
      anOrder({ paidBy: "outside" }),
      anOrder({ total: { minor: 1, currency: "XOF" } }),
    );
    fc.assert(
      fc.property(sessions, orders, fc.constantFrom(...PAYMENT_STATES), (session, order, state) => {
        const verdict = judge(evidenceWith({ session, order, payment: { ...payment, state } }));
        if (verdict.status !== "paid") return;
        const { environment, ...rest } = session;
        expect(rest).toEqual({
          id: "session-1",
          status: "completed",
          wireAmount: 5000,
          currency: "XOF",
          reference: payment.reference,
        });
        expect([undefined, "test"]).toContain(environment);
        expect(order).toEqual(anOrder());
      }),
      { numRuns: 2000 },
    );
  });
});
