import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Evidence, judge } from "../../src/domain/judge.ts";
import { PAYMENT_STATES } from "../../src/domain/payment-states.ts";
import type { SessionReading } from "../../src/domain/session-reading.ts";
import { anOrder, aPayment, aRefund } from "../fixtures.ts";

const NOW = 1_000_000;
const payment = aPayment();
const completed: Required<SessionReading> = {
  id: "session-1",
  status: "completed",
  wireAmount: 5000,
  currency: "XOF",
  reference: payment.reference,
  environment: "test",
  account: undefined,
  transactionId: "transaction-1",
};

function evidence(changes: Partial<Evidence> = {}): Evidence {
  return { payment, session: completed, order: anOrder(), siblings: [], refunds: [], now: NOW, ...changes };
}

function reading(changes: SessionReading): Evidence {
  return evidence({ session: { ...completed, ...changes } });
}

function findingOf(facts: Evidence): string {
  const verdict = judge(facts);
  return verdict.status === "mismatch" ? verdict.finding.code : verdict.status;
}

describe("the judge", () => {
  it("says paid when session, order and payment agree in everything", () => {
    expect(judge(evidence())).toEqual({
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

  it("keeps the transaction that a refund was made from, although the session names a declined try", () => {
    const refund = aRefund({ amount: { minor: 100, currency: "XOF" }, transactionId: "transaction-that-paid" });
    expect(judge(evidence({ refunds: [refund] }))).toMatchObject({
      receipt: { transactionId: "transaction-that-paid" },
    });
  });

  it("waits while the session is open, and treats a status it does not know as not paid", () => {
    expect(judge(reading({ status: "open" })).status).toBe("wait");
    expect(judge(reading({ status: "paid" })).status).toBe("wait");
    expect(judge(reading({ status: "COMPLETED" })).status).toBe("wait");
  });

  it("lets a session lapse without a payment", () => {
    expect(judge(reading({ status: "expired" })).status).toBe("lapsed");
  });

  it.each([
    ["wireAmount", "not_verifiable"],
    ["currency", "not_verifiable"],
    ["reference", "not_verifiable"],
  ] as const)("never calls an answer without %s fine", (field, code) => {
    expect(findingOf(reading({ [field]: undefined }))).toBe(code);
  });

  it.each(["id", "status"] as const)("learns nothing from an answer without %s", (field) => {
    expect(judge(reading({ [field]: undefined })).status).toBe("unreadable");
  });

  it("does not let an old answer take back that money arrived", () => {
    const paid = aPayment({ state: "review", amountReceived: { minor: 50, currency: "XOF" } });
    expect(judge({ ...reading({ status: "open" }), payment: paid }).status).toBe("unreadable");
    expect(judge({ ...reading({ status: "expired" }), payment: paid }).status).toBe("unreadable");
    const finding = { code: "not_verifiable", expected: "currency", found: "" } as const;
    const narrow = aPayment({ state: "review", finding });
    expect(judge({ ...reading({ status: "open" }), payment: narrow }).status).toBe("unreadable");
  });

  describe("of an order that its owner set to paid by hand", () => {
    const byHand = anOrder({ paidBy: "owner", payable: false, setPaid: { by: "awa", at: NOW - 1 } });
    const difference = { code: "amount_differs", expected: "5000 XOF", found: "50 XOF" } as const;
    const amountReceived = { minor: 50, currency: "XOF" };
    const held = aPayment({ state: "review", finding: difference, amountReceived });
    const heldReading = { ...completed, wireAmount: 50 };

    it("takes that as the owner's acceptance of the only payment that was held, with who and when", () => {
      const verdict = judge(evidence({ payment: held, session: heldReading, order: byHand }));
      expect(verdict).toMatchObject({ status: "accepted", waiver: { by: "awa", at: NOW - 1 }, amountReceived });
      if (verdict.status !== "accepted") throw new Error(verdict.status);
      const accepted = { ...held, state: "verified", finding: null, waiver: verdict.waiver } as const;
      expect(judge(evidence({ payment: accepted, session: heldReading, order: byHand }))).toMatchObject({
        status: "paid",
        receipt: { alreadyPaid: true, paid: amountReceived },
      });
    });

    it("does not guess which one of two held payments the owner meant", () => {
      const other = aPayment({ id: "payment-0", state: "review", amountReceived });
      const facts = evidence({ payment: held, session: heldReading, order: byHand, siblings: [other] });
      expect(findingOf(facts)).toBe("amount_differs");
    });

    it("holds a payment that arrives after that: the owner may have taken cash", () => {
      const late = evidence({ order: byHand });
      expect(findingOf(late)).toBe("paid_outside");
      const shown = aPayment({ state: "review", finding: null, amountReceived: { minor: 5000, currency: "XOF" } });
      const finding = { code: "paid_outside", expected: "", found: "" } as const;
      expect(findingOf({ ...late, payment: { ...shown, finding } })).toBe("paid_outside");
    });

    it("holds a payment, and calls it no other's, when the store cannot tell by what the order was paid", () => {
      expect(findingOf(evidence({ order: anOrder({ paidBy: "unclear", payable: false }) }))).toBe("paid_outside");
    });

    it("does not take a session of another reference, account or environment as accepted", () => {
      for (const wrong of [{ reference: "of another shop" }, { environment: "live" }, { currency: "USD" }]) {
        const facts = evidence({ payment: held, session: { ...heldReading, ...wrong }, order: byHand });
        expect(judge(facts).status).toBe("mismatch");
      }
    });
  });

  it("does not need the environment, but believes it where it is said", () => {
    expect(judge(reading({ environment: undefined })).status).toBe("paid");
    expect(findingOf(reading({ environment: "live" }))).toBe("other_environment");
  });

  it.each([
    [{ id: "session-2" }, "other_session"],
    [{ reference: "payment-2.abc" }, "other_reference"],
    [{ wireAmount: 4999 }, "amount_differs"],
    [{ wireAmount: 50 }, "amount_differs"],
    [{ wireAmount: 10000 }, "amount_differs"],
    [{ currency: "USD" }, "currency_differs"],
    [{ account: "acct_other" }, "other_account"],
  ] as const)("finds %j", (change, code) => {
    expect(findingOf(reading(change))).toBe(code);
  });

  it("refuses a session of another member account", () => {
    const delegated = { ...payment, account: "acct_one" };
    const facts = { payment: delegated, session: { ...completed, account: "acct_two" } };
    expect(findingOf(evidence(facts))).toBe("other_account");
  });

  it("refuses an order whose total was changed after the redirect, in amount or in currency", () => {
    expect(findingOf(evidence({ order: anOrder({ total: { minor: 6000, currency: "XOF" } }) }))).toBe("total_changed");
    expect(findingOf(evidence({ order: anOrder({ total: { minor: 5000, currency: "USD" } }) }))).toBe("total_changed");
  });

  it("refuses an order that is gone, cancelled, or of the other environment", () => {
    expect(findingOf(evidence({ order: null }))).toBe("order_gone");
    expect(findingOf(evidence({ order: anOrder({ payable: false }) }))).toBe("order_not_payable");
    expect(findingOf(evidence({ order: anOrder({ environment: "live" }) }))).toBe("other_environment");
  });

  it("calls a second payment of a paid order a duplicate, even when the order was closed by the first", () => {
    const winner = aPayment({ id: "payment-0", state: "recorded" });
    const order = anOrder({ payable: false, paidBy: "payment-0" });
    expect(judge(evidence({ siblings: [winner], order }))).toMatchObject({ status: "duplicate", paidBy: "payment-0" });
    expect(judge(evidence({ order: anOrder({ paidBy: "outside" }) }))).toMatchObject({
      status: "duplicate",
      paidBy: "outside",
    });
  });

  it("does not believe a store that shows the payment before the service said so", () => {
    const order = anOrder({ paidBy: payment.id, payable: false });
    expect(judge(evidence({ order, session: { ...completed, status: "open" } })).status).toBe("wait");
    expect(judge(evidence({ order, payment: { ...payment, state: "verified" } })).status).toBe("settled");
  });

  it("believes a store that shows a payment under review only when it was told of it before", () => {
    const total = { minor: 6000, currency: "XOF" } as const;
    const order = anOrder({ paidBy: payment.id, payable: false, total });
    const held = { ...payment, state: "review" } as const;
    expect(judge(evidence({ order, payment: { ...held, storeTries: 1 } })).status).toBe("settled");
    // Showing the owner what differs is a write, too.
    expect(judge(evidence({ order, payment: { ...held, storeWriteAt: 1 } })).status).toBe("mismatch");
  });

  it("waives exactly the difference that the owner accepted, and no other", () => {
    const finding = { code: "total_changed", expected: "5000 XOF", found: "6000 XOF" } as const;
    const waived = { ...payment, waiver: { finding, by: "owner", at: 1 } };
    const changed = anOrder({ total: { minor: 6000, currency: "XOF" } });
    expect(judge(evidence({ payment: waived, order: changed }))).toMatchObject({
      status: "paid",
      receipt: { paid: { minor: 5000, currency: "XOF" }, total: { minor: 6000, currency: "XOF" } },
    });
    const other = anOrder({ total: { minor: 7000, currency: "XOF" } });
    expect(findingOf(evidence({ payment: waived, order: other }))).toBe("total_changed");
  });

  it("tells the store the amount that was really paid when a difference was waived", () => {
    const finding = { code: "amount_differs", expected: "5000 XOF", found: "4000 XOF" } as const;
    const verdict = judge({
      ...reading({ wireAmount: 4000 }),
      payment: { ...payment, waiver: { finding, by: "o", at: 1 } },
    });
    expect(verdict).toMatchObject({ status: "paid", receipt: { paid: { minor: 4000, currency: "XOF" } } });
  });

  it("never verifies a refunded payment again", () => {
    const refund = {
      key: "r1",
      paymentId: payment.id,
      origin: "service",
      amount: payment.amountDue,
      request: "",
      transactionId: "transaction-1",
      state: "completed",
      refundId: "refund-1",
      askedAt: 0,
      readOnlySince: null,
      otherKeys: [],
    } as const;
    expect(judge(evidence({ refunds: [refund] })).status).toBe("refunded");
    expect(judge(evidence({ refunds: [{ ...refund, amount: { minor: 100, currency: "XOF" } }] })).status).toBe("paid");
    expect(judge(evidence({ payment: { ...payment, state: "refunding" } })).status).toBe("refunded");
  });

  it("says paid only when every single thing agrees, whatever else comes in", () => {
    const noisy = fc.record(
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
      fc.property(noisy, orders, fc.constantFrom(...PAYMENT_STATES), (answer, order, state) => {
        const verdict = judge(evidence({ session: answer, order, payment: { ...payment, state } }));
        if (verdict.status !== "paid") return;
        const { environment, ...rest } = answer;
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
