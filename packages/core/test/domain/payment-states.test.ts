import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterFact,
  type Fact,
  PAYMENT_FACTS,
  PAYMENT_STATES,
  type PaymentState,
} from "../../src/domain/payment-states.ts";

const anyFact = fc.constantFrom(...PAYMENT_FACTS);
const anyState = fc.constantFrom(...PAYMENT_STATES);
const HAS_MONEY: readonly PaymentState[] = ["verified", "recorded", "review", "duplicate", "refunding", "refunded"];

function stateAfter(from: PaymentState, facts: readonly Fact[]): PaymentState {
  return facts.reduce(afterFact, from);
}

describe("payment states", () => {
  it("every state handles every fact", () => {
    for (const state of PAYMENT_STATES) {
      for (const fact of PAYMENT_FACTS) expect(PAYMENT_STATES).toContain(afterFact(state, fact));
    }
  });

  it("a repeated fact changes nothing", () => {
    fc.assert(
      fc.property(anyState, anyFact, (state, fact) => {
        const once = afterFact(state, fact);
        expect(afterFact(once, fact)).toBe(once);
      }),
    );
  });

  // The judge never reports a session as unpaid once money was received for its payment.
  it("a payment that received money keeps a state with money unless the service reports its session as unpaid", () => {
    const paidFacts = anyFact.filter((fact) => fact !== "waiting" && fact !== "sessionExpired" && fact !== "graceOver");
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 30 }), fc.array(paidFacts, { maxLength: 30 }), (before, after) => {
        const state = stateAfter("intent", before);
        if (HAS_MONEY.includes(state)) expect(HAS_MONEY).toContain(stateAfter(state, after));
      }),
    );
  });

  it("a recorded payment changes only by a refund", () => {
    for (const fact of PAYMENT_FACTS) {
      expect(afterFact("recorded", fact)).toBe(fact === "refundDone" ? "refunded" : "recorded");
    }
  });

  it("superseded, expired and closed payments can still be paid", () => {
    for (const state of ["intent", "open", "superseded", "expired", "closed"] as const) {
      expect(afterFact(state, "paid")).toBe("verified");
    }
  });

  it("a payment is recorded only after the service reported it as paid", () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 30 }), (facts) => {
        const seen: PaymentState[] = [];
        facts.reduce<PaymentState>((state, fact) => {
          seen.push(state);
          return afterFact(state, fact);
        }, "intent");
        const recorded = seen.indexOf("recorded");
        if (recorded >= 0) expect(seen.slice(0, recorded).some((state) => HAS_MONEY.includes(state))).toBe(true);
      }),
    );
  });
});
