import fc from "fast-check";
import { expect, it } from "vitest";
import { type Equation, equationOf, equationsOf, linesOf } from "../../src/domain/equation.ts";
import type { PaidTransaction } from "../../src/domain/movement.ts";
import type { Refund } from "../../src/domain/refund.ts";
import { aPayment } from "../fixture/samples.ts";

const francs = (minor: number) => ({ minor, currency: "XOF" });
const payment = aPayment({ state: "recorded", transactionId: "t0" });

function transaction(index: number, minor: number): PaidTransaction {
  const id = `t${index}`;
  return {
    id,
    code: null,
    paymentId: payment.id,
    amount: francs(minor),
    isRead: true,
    evidence: "identity",
    at: index,
  };
}

const refunds = fc.array(
  fc.record({
    transactionId: fc.constantFrom("t0", "t1", ""),
    minor: fc.integer({ min: 1, max: 60 }),
    state: fc.constantFrom<Refund["state"]>("completed", "pending", "failed"),
  }),
  { maxLength: 5 },
);

const gross = fc.integer({ min: 1, max: 100 });
const losses = fc.array(fc.record({ transactionId: fc.constantFrom("t0", "t1"), minor: gross }), { maxLength: 1 });

function sumsOf({ received, returned, leaving, disputed, available }: Equation) {
  return [received, returned, leaving, disputed, available].map(({ minor }) => minor) as [
    number,
    number,
    number,
    number,
    number,
  ];
}

it("the equations of two transactions stay equations, none leaves more than is left of both, and their lines add up, whatever refunds name no transaction", () => {
  fc.assert(
    fc.property(gross, gross, refunds, losses, (first, second, made, lost) => {
      const movements = {
        transactions: [transaction(0, first), transaction(1, second)],
        refunds: made.map(({ minor, ...refund }, index) => {
          return { ...refund, amount: francs(minor), key: `r${index}` } as Refund;
        }),
        disputes: lost.map(({ transactionId, minor }) => {
          const ended = { status: "closed", outcome: "lost" } as const;
          const dispute = {
            id: "d",
            paymentId: payment.id,
            reason: "",
            evidenceDueBy: null,
            openedAt: 0,
            updatedAt: 0,
          };
          return { ...dispute, ...ended, transactionId, amount: francs(minor) };
        }),
      };
      const placed = { ...movements, refunds: movements.refunds.filter(({ transactionId }) => transactionId !== "") };
      const hasUnplaced = placed.refunds.length < made.length;
      const own = equationsOf(payment, placed);
      const each = equationsOf(payment, movements);
      const whole = equationOf(payment, movements);
      for (const equation of [...each, whole]) {
        const [received, returned, leaving, disputed, available] = sumsOf(equation);
        expect(available).toBe(received - returned - leaving - disputed);
      }
      for (const [index, { available, leaving, returned }] of each.entries()) {
        const most = hasUnplaced ? whole.available.minor : available.minor;
        expect(available.minor).toBe(Math.min(own[index]?.available.minor ?? 0, most));
        expect(leaving.minor).toBeGreaterThanOrEqual(own[index]?.leaving.minor ?? 0);
        expect(returned.minor).toBeLessThanOrEqual(whole.returned.minor);
      }
      const lines = linesOf(payment, movements).map(sumsOf);
      expect(sumsOf(whole)).toEqual(
        [0, 1, 2, 3, 4].map((part) => lines.reduce((sum, line) => sum + (line[part] ?? 0), 0)),
      );
      const all = movements.refunds.filter(({ state }) => state === "completed");
      expect(whole.returned.minor).toBe(all.reduce((sum, { amount }) => sum + amount.minor, 0));
    }),
  );
});
