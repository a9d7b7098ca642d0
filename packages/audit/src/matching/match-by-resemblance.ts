import type { OrderCoverage, OrderFact, PaymentFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import type { Group, Reason } from "./group.ts";
import { amountIn } from "./order-amount.ts";
import type { Claim, ClaimOf } from "./service-methods.ts";

/** A group, with what its orders say of the service. */
export type ClaimingGroup = Group & { readonly claim: Claim };

/**
 * Joins a payment that names no order with the order that it resembles, when each is the other's best. A payment that resembles several
 * orders equally stays alone, and so do they.
 */
export function matchByResemblance(
  groups: readonly Group[],
  claimOf: ClaimOf,
  shops: readonly OrderCoverage[],
): readonly ClaimingGroup[] {
  const claiming = groups.map(
    (group): ClaimingGroup => Object.assign(group, { claim: strongest(group.orders.map(claimOf)) }),
  );
  const lonely = claiming.filter(isLonelyPayment);
  if (lonely.length === 0) return claiming;
  const sites = new Map(shops.map(({ shop, site }) => [shop, site]));
  const pairs = bestPairs(lonely, indexOrders(claiming.filter(isLonelyOrder)), sites);
  const partners = new Map<ClaimingGroup, ClaimingGroup>();
  const merged = pairs.map(({ order, payment, reasons }): ClaimingGroup => {
    partners.set(order, payment);
    partners.set(payment, order);
    return {
      orders: order.orders,
      payments: payment.payments,
      refunds: [...order.refunds, ...payment.refunds],
      disputes: [...order.disputes, ...payment.disputes],
      evidence: "resemblance",
      reasons,
      claim: order.claim,
    };
  });
  return [...claiming.filter((group) => !partners.has(group)), ...merged];
}

function strongest(claims: readonly Claim[]): Claim {
  return claims.includes("certain") ? "certain" : claims.includes("likely") ? "likely" : "no";
}

function isLonelyPayment({ orders, payments }: Group): boolean {
  const [payment] = payments;
  return orders.length === 0 && payments.length === 1 && payment?.channel === null;
}

/** An order that may wait for a payment: unpaid, cancelled, or shown as paid through the service without any movement. */
function isLonelyOrder({ orders, payments, claim }: ClaimingGroup): boolean {
  const [order] = orders;
  if (order === undefined || orders.length !== 1 || payments.length > 0) return false;
  return claim !== "no" || order.state === "unpaid" || order.state === "cancelled";
}

type Candidates = ReadonlyMap<string, readonly ClaimingGroup[]>;

/** By currency and amount; an order with two currencies is under both. */
function indexOrders(groups: readonly ClaimingGroup[]): Candidates {
  const index = new Map<string, ClaimingGroup[]>();
  for (const group of groups) {
    const [order] = group.orders;
    if (order === undefined) continue;
    const currencies = new Set([order.total.currency, order.otherTotal?.currency, order.paid?.currency]);
    for (const currency of currencies) {
      if (currency === undefined) continue;
      const key = `${currency} ${amountIn(order, currency)}`;
      const known = index.get(key);
      if (known) known.push(group);
      else index.set(key, [group]);
    }
  }
  return index;
}

type Pair = {
  readonly order: ClaimingGroup;
  readonly payment: ClaimingGroup;
  readonly reasons: readonly Reason[];
  readonly score: number;
};

function bestPairs(
  lonely: readonly ClaimingGroup[],
  candidates: Candidates,
  sites: ReadonlyMap<string, string | null>,
): readonly Pair[] {
  const pairs = lonely.flatMap((group) => {
    const [payment] = group.payments;
    if (payment === undefined) return [];
    const found = candidates.get(`${payment.amount.currency} ${payment.amount.minor}`) ?? [];
    return found.flatMap((order): Pair[] => {
      const reasons = resemblance(order.orders[0], payment, sites);
      return reasons === null ? [] : [{ order, payment: group, ...reasons }];
    });
  });
  const ofPayment = bestOf(pairs, ({ payment }) => payment);
  const ofOrder = bestOf(pairs, ({ order }) => order);
  return pairs.filter((pair) => ofPayment.get(pair.payment) === pair && ofOrder.get(pair.order) === pair);
}

/** The best pair of each group; null where two are equally good. */
function bestOf(pairs: readonly Pair[], keyOf: (pair: Pair) => ClaimingGroup): ReadonlyMap<ClaimingGroup, Pair | null> {
  const best = new Map<ClaimingGroup, Pair | null>();
  const scores = new Map<ClaimingGroup, number>();
  for (const pair of pairs) {
    const key = keyOf(pair);
    const score = scores.get(key);
    if (score === undefined || pair.score > score) {
      best.set(key, pair);
      scores.set(key, pair.score);
    } else if (pair.score === score) best.set(key, null);
  }
  return best;
}

/** Scores are whole: the same customer counts most, then the distance in minutes. */
const CUSTOMER_SCORE = 1_000_000;

function resemblance(
  order: OrderFact | undefined,
  payment: PaymentFact,
  sites: ReadonlyMap<string, string | null>,
): Pick<Pair, "reasons" | "score"> | null {
  if (order === undefined || order.names.some((name) => OTHER_PAYMENT.test(name))) return null;
  const site = sites.get(order.shop) ?? null;
  if (payment.site !== null && site !== null && payment.site !== site) return null;
  const distance = distanceInTime(order, payment);
  if (distance === null) return null;
  const bothNamed = order.customer !== null && payment.customer !== null;
  if (bothNamed && order.customer !== payment.customer) return null;
  const score = (bothNamed ? CUSTOMER_SCORE : 0) - Math.round(distance / 60_000);
  return { reasons: bothNamed ? ["amount", "time", "customer"] : ["amount", "time"], score };
}

/** Null when the payment is too far from the order to belong to it. */
function distanceInTime(order: OrderFact, { at }: PaymentFact): number | null {
  const { resembleBeforeMs, resembleAfterMs, resemblePaidMs } = auditLimits;
  const isUnpaid = order.state === "unpaid" || order.state === "cancelled";
  const wait = at - (isUnpaid ? order.createdAt : (order.paidAt ?? order.createdAt));
  const [before, after] = isUnpaid ? [resembleBeforeMs, resembleAfterMs] : [resemblePaidMs, resemblePaidMs];
  return wait < -before || wait > after ? null : Math.abs(wait);
}

/** An order with a transaction of the service that is not this payment's has another payment. */
const OTHER_PAYMENT = /^(?:txn|cs)_[0-9a-z]{10,}$/;
