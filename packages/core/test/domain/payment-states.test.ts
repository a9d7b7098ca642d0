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
/** The states of payments that received money, also if the money was refunded since. */
const RECEIVED_MONEY: readonly PaymentState[] = [
  "verified",
  "recorded",
  "review",
  "duplicate",
  "refunding",
  "refunded",
];

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

  // `waiting`, `sessionExpired` and `graceOver` mean an unpaid session. The judge finds none of them after an amount was received.
  it("only the fact that its session is unpaid takes a payment out of the states that received money", () => {
    const otherFacts = anyFact.filter((fact) => !["waiting", "sessionExpired", "graceOver"].includes(fact));
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 30 }), fc.array(otherFacts, { maxLength: 30 }), (before, after) => {
        const state = stateAfter("intent", before);
        if (RECEIVED_MONEY.includes(state)) expect(RECEIVED_MONEY).toContain(stateAfter(state, after));
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
        if (recorded >= 0) expect(seen.slice(0, recorded).some((state) => RECEIVED_MONEY.includes(state))).toBe(true);
      }),
    );
  });
});
