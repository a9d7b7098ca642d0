import { money } from "@tillkit/core";
import { type Effect, findPaidOrderViolations, type PaymentFacts } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

const TOTAL = money(5_000, "XOF");
const PAID: PaymentFacts = { orderId: "1", completed: true, paid: TOTAL, waived: false };

describe("the violations of paid orders", () => {
  it("one effect of a completed payment of the same order and amount is no violation", () => {
    expect(findPaidOrderViolations([effect()], () => PAID)).toEqual([]);
    expect(findPaidOrderViolations([], () => null)).toEqual([]);
  });

  it("a second effect is a violation, even of the same payment", () => {
    expect(findPaidOrderViolations([effect(), effect()], () => PAID)).toEqual(["Order 1 was marked paid again: p, p."]);
  });

  it.each([
    [null, "which does not exist"],
    [{ ...PAID, orderId: "2" }, "a payment of order 2"],
    [{ ...PAID, completed: false }, "which is not completed"],
    [{ ...PAID, paid: money(4_999, "XOF") }, "which paid 4999 XOF, not 5000 XOF"],
    [{ ...PAID, paid: money(5_000, "USD") }, "which paid 5000 USD, not 5000 XOF"],
  ])("a payment that does not match the order is a violation (%o)", (facts, mismatch) => {
    expect(findPaidOrderViolations([effect()], () => facts)).toEqual([`Order 1 was marked paid by p, ${mismatch}.`]);
  });

  it("an accepted difference is no violation, and an unknown total is a violation", () => {
    const accepted = { ...PAID, paid: money(4_999, "XOF"), waived: true };
    expect(findPaidOrderViolations([effect()], () => accepted)).toEqual([]);
    expect(findPaidOrderViolations([effect({ total: null })], () => PAID)).toHaveLength(1);
  });
});

function effect(change: Partial<Effect> = {}): Effect {
  return { orderId: "1", attempt: "", paymentId: "p", total: TOTAL, at: 0, ...change };
}
