import type { Money } from "@tillkit/core";
import type { MovementCoverage, OrderCoverage, OrderFact, PaymentFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import type { ClaimingGroup } from "../matching/match-by-resemblance.ts";
import { amountIn, isShownPaid } from "../matching/order-amount.ts";
import { explainDifference } from "./explain-difference.ts";
import type { Finding, FindingKind } from "./finding.ts";
import { found } from "./found.ts";

/** What a group came to, so that the groups can be added up. A group with findings counts under its first one. */
export type Outcome =
  | FindingKind
  | "balanced"
  | "resembles"
  | "returned"
  | "unpaid"
  | "other_method"
  | "other_channel"
  | "test"
  | "under_way"
  | "outside";

export type Verdict = { readonly outcome: Outcome; readonly findings: readonly Finding[] };

export type Context = {
  readonly from: number;
  readonly until: number;
  readonly now: number;
  readonly shops: ReadonlyMap<string, OrderCoverage>;
  readonly movements: MovementCoverage;
  /** The environment whose money counts: `test` when only a test key was read. */
  readonly environment: "test" | "live";
};

/** What one group means. All rules of the report are here and in `explainDifference`. */
export function judgeGroup(group: ClaimingGroup, context: Context): Verdict {
  if (!touchesPeriod(group, context)) return outcome("outside");
  if (isUnderWay(group, context)) return outcome("under_way");
  const testMoney = findTestMoney(group, context);
  if (testMoney.length > 0) return withFindings(testMoney, "test");
  const payments = group.payments.filter(({ environment }) => environment === context.environment);
  const real = { ...group, payments };
  if (group.payments.length > 0 && payments.length === 0) return outcome("test");
  if (payments.length === 0) return judgeOrders(real, context);
  return group.orders.length === 0 ? judgePayments(real, context) : judgePair(real, context);
}

function outcome(value: Outcome): Verdict {
  return { outcome: value, findings: [] };
}

function withFindings(findings: readonly Finding[], otherwise: Outcome): Verdict {
  return { outcome: findings[0]?.kind ?? otherwise, findings };
}

function touchesPeriod({ orders, payments, refunds, disputes }: ClaimingGroup, { from, until }: Context): boolean {
  const isIn = (at: number | null) => at !== null && at >= from && at < until;
  return (
    orders.some(({ createdAt, paidAt }) => isIn(createdAt) || isIn(paidAt)) ||
    [...payments, ...refunds, ...disputes].some(({ at }) => isIn(at))
  );
}

/** Something changed so lately that the other side may not show it yet. */
function isUnderWay({ orders, payments, refunds, disputes }: ClaimingGroup, { now }: Context): boolean {
  const fresh = now - auditLimits.graceMs;
  return (
    orders.some(({ changedAt, state }) => state !== "unpaid" && changedAt > fresh) ||
    [...payments, ...refunds, ...disputes].some(({ at }) => at > fresh)
  );
}

/** Live orders that count as paid because of a payment that moved no money. */
function findTestMoney(group: ClaimingGroup, { environment }: Context): readonly Finding[] {
  if (environment === "test" || group.evidence !== "identity") return [];
  const tests = group.payments.filter((payment) => payment.environment === "test");
  const orders = group.orders.filter(({ state, isTest }) => !isTest && (state === "paid" || state === "partial"));
  const [first] = tests;
  if (first === undefined || orders.length === 0 || tests.length < group.payments.length) return [];
  const amount = first.amount;
  return [found("test_money", { ...group, payments: tests }, { amount, orders, since: first.at })];
}

/** Orders without any payment. */
function judgeOrders(group: ClaimingGroup, context: Context): Verdict {
  const shown = group.orders.filter(isShownPaid);
  if (shown.length === 0) return outcome("unpaid");
  if (group.claim === "no") return outcome("other_method");
  if (shown.every(({ isTest }) => isTest)) return outcome("test");
  const { movements } = context;
  const isCovered = (at: number) => at >= movements.from + auditLimits.graceMs && at < movements.until;
  const missing = shown.filter(
    ({ state, total, paid, paidAt, createdAt }) =>
      state === "paid" && (paid ?? total).minor > 0 && isCovered(createdAt) && isCovered(paidAt ?? createdAt),
  );
  const isOutside = shown.some(({ createdAt, paidAt }) => !isCovered(createdAt) || !isCovered(paidAt ?? createdAt));
  const findings = missing.map((order) =>
    found("shown_without_money", group, {
      amount: order.paid ?? order.total,
      orders: [order],
      since: order.paidAt ?? order.createdAt,
      certainty: group.claim === "certain" ? "certain" : "likely",
      because: group.claim === "certain" ? [] : ["method_not_shown"],
    }),
  );
  return withFindings(findings, isOutside ? "outside" : "returned");
}

/** Payments without any order. */
function judgePayments(group: ClaimingGroup, context: Context): Verdict {
  const [first] = group.payments;
  if (first === undefined) return outcome("outside");
  if (first.channel !== null || isOfOtherSite(first, context)) return outcome("other_channel");
  const shops = [...context.shops.values()];
  const isCovered = shops.length > 0 && shops.every(({ from, until }) => first.at >= from && first.at < until);
  if (!isCovered) return outcome("outside");
  const left = sum(group.payments) - returnedOf(group);
  if (left <= 0) return outcome("returned");
  const amount = { minor: left, currency: first.amount.currency };
  return withFindings([found("money_of_nobody", group, { amount, since: first.at })], "returned");
}

/** The payment names a shop, and it is none of the shops that were read. */
function isOfOtherSite({ site }: PaymentFact, { shops }: Context): boolean {
  const sites = [...shops.values()].map((shop) => shop.site);
  return site !== null && sites.every((known) => known !== null && known !== site);
}

function judgePair(group: ClaimingGroup, context: Context): Verdict {
  const [first] = group.payments;
  if (first === undefined) return outcome("outside");
  const { currency } = first.amount;
  const strange = group.orders.find((order) => isShownPaid(order) && amountIn(order, currency) === null);
  const otherMoney = group.payments.find(({ amount }) => amount.currency !== currency);
  if (strange !== undefined || otherMoney !== undefined) return judgeCurrencies(group, first, strange);
  const disputes = context.movements.disputesSince === null ? [] : group.disputes;
  const findings = explainDifference({ ...group, disputes }, currency, showsOf(group, context));
  const settled = group.evidence === "resemblance" ? "resembles" : "balanced";
  const isReturned = !group.orders.some(isShownPaid);
  return withFindings(findings, isReturned ? "returned" : settled);
}

function judgeCurrencies(group: ClaimingGroup, first: PaymentFact, strange: OrderFact | undefined): Verdict {
  // Two currencies at the service are right when each has an order of its own.
  const isMixed = strange === undefined && group.payments.every(({ amount }) => hasOrderIn(group, amount));
  if (isMixed) return outcome("balanced");
  const finding = found("amount_differs", group, {
    amount: first.amount,
    since: first.at,
    expected: strange?.paid ?? strange?.total ?? group.orders[0]?.total ?? null,
    actual: first.amount,
  });
  return withFindings([finding], "balanced");
}

function hasOrderIn({ orders }: ClaimingGroup, amount: Money): boolean {
  return orders.some((order) => isShownPaid(order) && amountIn(order, amount.currency) === amount.minor);
}

/** What every shop of the group shows. */
function showsOf({ orders }: ClaimingGroup, { shops }: Context): { refunds: boolean; disputes: boolean } {
  const shown = orders.map(({ shop }) => shops.get(shop)?.shows);
  return {
    refunds: shown.every((shows) => shows?.refunds !== false),
    disputes: shown.every((shows) => shows?.disputes !== false),
  };
}

function sum(payments: readonly PaymentFact[]): number {
  return payments.reduce((total, { amount }) => total + amount.minor, 0);
}

/** Completed and pending refunds, and what lost disputes took, in minor units. */
function returnedOf({ payments, refunds, disputes }: ClaimingGroup): number {
  const whole = sum(payments);
  const refunded = refunds.reduce((total, { amount }) => total + amount.minor, 0);
  const lost = disputes.filter(({ status }) => status === "lost");
  return refunded + lost.reduce((total, { amount }) => total + (amount?.minor ?? whole), 0);
}
