import { money } from "@tillkit/core";
import { type Evidence, emptyEvidence, findViolations } from "@tillkit/testkit/simulator";
import { describe, expect, it } from "vitest";

type RefundFacts = Evidence["refunds"][number];

const REF = { storeId: "hats", orderId: "1" };

/** The violations of invariant I1, "an order is marked paid at most once", for one order of 5000 XOF with these refunds. */
function violationsAfter(paidBy: string, refunds: readonly Partial<RefundFacts>[]): readonly string[] {
  const automaticRefund = {
    id: "r",
    paymentId: "p",
    key: "rule:p",
    wireAmount: 5_000,
    status: "completed",
    completedAt: 2,
  } as const;
  const evidence: Evidence = {
    ...emptyEvidence,
    orders: [
      {
        ref: REF,
        writes: { kind: "conditional" },
        effects: [{ paymentId: paidBy, total: money(5_000, "XOF"), at: 1 }],
        totals: [{ total: money(5_000, "XOF"), from: 0 }],
        closedAt: null,
        closedAttempts: [],
        holds: null,
        notes: null,
      },
    ],
    refunds: refunds.map((refund) => ({ ...automaticRefund, ...refund })),
  };
  return findViolations(evidence)
    .filter(({ invariant }) => invariant === "I1")
    .map(({ reason }) => reason);
}

describe("refunds of a paid order", () => {
  it("an automatic refund of the payment that the order shows is a violation", () => {
    expect(violationsAfter("p", [{}])).toEqual(["1 shows payment p, which was refunded automatically"]);
    expect(violationsAfter("p", [{ status: "pending" }])).toHaveLength(1);
  });

  it("an automatic refund that failed, or an automatic refund of another payment, is no violation", () => {
    expect(violationsAfter("other", [{}])).toEqual([]);
    expect(violationsAfter("p", [{ status: "failed" }])).toEqual([]);
  });

  it("a refund that a person decided is no violation", () => {
    expect(violationsAfter("p", [{ key: "review:p" }, { key: null, paymentId: "q" }])).toEqual([]);
  });

  it("two refunds under one key are a violation", () => {
    expect(violationsAfter("other", [{ wireAmount: 1 }, { wireAmount: 1 }])).toContain(
      "the refund rule:p was made twice",
    );
  });
});
