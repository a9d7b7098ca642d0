import type { BalanceFact, Facts, PaymentFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import { type Finding, newFinding } from "./finding.ts";

/**
 * Whether fees and net add up: within each transaction, and between two readings of the balance. The second is never certain, because
 * the service lists no payouts that were made in its dashboard.
 */
export function checkBalance(facts: Facts, environment: "test" | "live"): readonly Finding[] {
  const payments = facts.payments.filter((payment) => payment.environment === environment);
  const balances = facts.balances.filter((balance) => balance.environment === environment);
  return [...checkFees(payments), ...checkChange({ ...facts, payments, balances })];
}

function checkFees(payments: readonly PaymentFact[]): readonly Finding[] {
  const wrong = payments.filter(
    ({ amount, fee, net, discount }) =>
      fee !== null && net !== null && net !== amount.minor - fee && net !== amount.minor - fee - discount,
  );
  const currencies = [...new Set(wrong.map(({ amount }) => amount.currency))];
  return currencies.map((currency) => {
    const here = wrong.filter(({ amount }) => amount.currency === currency);
    const expected = add(here, ({ amount, fee }) => amount.minor - (fee ?? 0));
    const actual = add(here, ({ net }) => net ?? 0);
    const minor = add(here, ({ amount, fee, net }) => Math.abs(amount.minor - (fee ?? 0) - (net ?? 0)));
    return newFinding({
      kind: "balance_differs",
      certainty: "certain",
      because: [],
      amount: { minor, currency },
      since: Math.min(...here.map(({ at }) => at)),
      orders: [],
      payments: here,
      expected: { minor: expected, currency },
      actual: { minor: actual, currency },
    });
  });
}

function checkChange(facts: Facts): readonly Finding[] {
  const currencies = [...new Set(facts.balances.map(({ amount }) => amount.currency))];
  return currencies.flatMap((currency) => {
    const readings = facts.balances
      .filter(({ amount, at }) => amount.currency === currency && at >= facts.movements.from)
      .sort((left, right) => left.at - right.at);
    const [first] = readings;
    const last = readings.at(-1);
    return first === undefined || last === undefined || first === last ? [] : compare(first, last, facts);
  });
}

function compare(first: BalanceFact, last: BalanceFact, facts: Facts): readonly Finding[] {
  const { currency } = first.amount;
  const isBetween = ({ at, amount }: { readonly at: number; readonly amount: { readonly currency: string } | null }) =>
    at > first.at && at <= last.at && (amount === null || amount.currency === currency);
  const payments = facts.payments.filter(isBetween);
  const refunds = facts.refunds.filter(isBetween);
  const payouts = facts.payouts.filter(isBetween);
  const disputes = facts.disputes.filter((dispute) => isBetween(dispute) && dispute.status !== "won");
  const expected =
    add(payments, ({ net, fee, amount }) => net ?? amount.minor - (fee ?? 0)) -
    add(refunds, ({ amount }) => amount.minor) -
    add(payouts, ({ amount }) => amount.minor) -
    add(disputes, ({ amount }) => amount?.minor ?? 0);
  const actual = last.amount.minor - first.amount.minor;
  const nearby = [...facts.payments, ...facts.refunds].filter(
    ({ at, amount }) => amount.currency === currency && isNear(at, first, last),
  );
  const rounding = auditLimits.roundingPerMovement * (payments.length + refunds.length);
  const slack = rounding + add(nearby, ({ amount }) => amount.minor);
  if (Math.abs(expected - actual) <= slack) return [];
  return [
    newFinding({
      kind: "balance_differs",
      certainty: "likely",
      because: ["payouts_not_listed"],
      amount: { minor: Math.abs(expected - actual), currency },
      since: first.at,
      orders: [],
      payments: [],
      expected: { minor: expected, currency },
      actual: { minor: actual, currency },
    }),
  ];
}

/** Whether a movement is so near a reading that it may count on either side of it. */
function isNear(at: number, ...readings: readonly BalanceFact[]): boolean {
  return readings.some((reading) => Math.abs(reading.at - at) <= auditLimits.balanceEdgeMs);
}

function add<Item>(items: readonly Item[], minorOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + minorOf(item), 0);
}
