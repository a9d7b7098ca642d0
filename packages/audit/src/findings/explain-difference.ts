import type { ClaimingGroup } from "../matching/match-by-resemblance.ts";
import { amountIn, isShownPaid, refundedIn } from "../matching/order-amount.ts";
import type { Finding } from "./finding.ts";
import { found } from "./found.ts";

/** The sums of a group in one currency, in minor units. */
type Sums = {
  /** Paid at the service. */
  readonly received: number;
  /** Refunds that the service completed, and those that are still pending there. */
  readonly refunded: number;
  readonly pending: number;
  /** What lost disputes took. */
  readonly lost: number;
  /** What the shop shows as paid, and as given back. */
  readonly due: number;
  readonly shownBack: number;
  /** Rounding that the shop's own decimals force. */
  readonly slack: number;
};

/** Names every reason why the sums of a group differ. Nothing is named when they agree, however the two sides came there. */
export function explainDifference(
  group: ClaimingGroup,
  currency: string,
  shows: { readonly refunds: boolean; readonly disputes: boolean },
): readonly Finding[] {
  const sums = sumsOf(group, currency);
  const disputed = openDisputes(group, currency, shows.disputes);
  const isShown = group.orders.some(isShownPaid);
  const kept = sums.received - sums.refunded - sums.pending - sums.lost;
  const agree = isShown ? agrees(sums, shows.refunds) : kept <= sums.slack;
  if (agree) return disputed;
  const rest = isShown ? explainPaid(group, currency, sums, shows.refunds) : explainNotShown(group, currency, sums);
  return [...disputed, ...rest];
}

function agrees(sums: Sums, showsRefunds: boolean): boolean {
  const { received, refunded, lost, due, shownBack, slack } = sums;
  const isNear = (difference: number) => Math.abs(difference) <= slack;
  // A shop that shows no refunds is right before and after a refund.
  if (!showsRefunds) return isNear(received - due) || isNear(received - refunded - lost - due);
  return isNear(received - refunded - lost - (due - shownBack));
}

function sumsOf({ orders, payments, refunds, disputes }: ClaimingGroup, currency: string): Sums {
  const received = add(payments, ({ amount }) => amount.minor);
  const refundsOf = (status: string) => add(refunds, (refund) => (refund.status === status ? refund.amount.minor : 0));
  const lost = add(disputes, ({ status, amount }) => (status === "lost" ? (amount?.minor ?? received) : 0));
  const shown = orders.filter(isShownPaid);
  const due = add(shown, (order) => amountIn(order, currency) ?? 0);
  const shownBack = add(shown, (order) => refundedIn(order, currency));
  const net = received - refundsOf("completed") - lost;
  // A deposit is right whatever part of the total it is.
  const isPart = shown.some(({ state, paid }) => state === "partial" && paid === null);
  return {
    received,
    refunded: refundsOf("completed"),
    pending: refundsOf("pending"),
    lost,
    due: isPart ? Math.min(due, net + shownBack) : due,
    shownBack,
    slack: orders.filter(({ isRounded }) => isRounded).length,
  };
}

function add<Item>(items: readonly Item[], minorOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + minorOf(item), 0);
}

/** A dispute that is open or lost, where no order of the group gives a sign that the shop knows it. */
function openDisputes(group: ClaimingGroup, currency: string, areShown: boolean): readonly Finding[] {
  if (!areShown || group.orders.length === 0) return [];
  const isKnown = group.orders.some(
    ({ knowsDispute, state }) => knowsDispute || state === "refunded" || state === "cancelled",
  );
  const disputes = group.disputes.filter(({ status }) => status !== "won");
  const [first] = disputes;
  if (isKnown || first === undefined) return [];
  const received = add(group.payments, ({ amount }) => amount.minor);
  const minor = add(disputes, ({ amount }) => amount?.minor ?? received);
  const payments = group.payments.filter(({ id }) => disputes.some(({ payment }) => payment === id));
  return [found("dispute_unknown", group, { amount: { minor, currency }, since: first.at, payments })];
}

/** No order of the group is shown as paid, and money stayed. */
function explainNotShown(group: ClaimingGroup, currency: string, sums: Sums): readonly Finding[] {
  const since = firstAt(group);
  const kept = sums.received - sums.refunded - sums.pending - sums.lost;
  const open = group.orders.filter(({ state }) => state === "unpaid");
  if (open.length === 0) return explainKept(group, currency, kept);
  const asked = add(open, (order) => amountIn(order, currency) ?? kept);
  const due = Math.min(kept, asked);
  const findings = [found("paid_not_shown", group, { amount: { minor: due, currency }, since, orders: open })];
  if (kept <= asked) return findings;
  const extra = { amount: { minor: kept - asked, currency }, since };
  return group.payments.length > 1 ? [...findings, found("two_payments", group, extra)] : findings;
}

/** All orders are cancelled. */
function explainKept(group: ClaimingGroup, currency: string, kept: number): readonly Finding[] {
  const since = Math.max(...group.orders.map(({ changedAt }) => changedAt));
  const shown = add(group.orders, ({ refunded }) => (refunded?.currency === currency ? refunded.minor : 0));
  const unpaidRefund = Math.min(shown, kept);
  const findings: Finding[] = [];
  if (unpaidRefund > 0)
    findings.push(
      found("refund_on_one_side", group, { amount: { minor: unpaidRefund, currency }, since, shownBy: "shop" }),
    );
  if (kept > unpaidRefund)
    findings.push(found("cancelled_and_kept", group, { amount: { minor: kept - unpaidRefund, currency }, since }));
  return findings;
}

/** Orders are shown as paid, and the sums differ: refunds are compared first, then payments with orders. */
function explainPaid(group: ClaimingGroup, currency: string, sums: Sums, showsRefunds: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  // What the service holds beyond what the shop shows. A lost dispute was named already.
  let difference = sums.received - sums.refunded - (sums.due - sums.shownBack);
  const note = (minor: number, shownBy: "shop" | "service") => {
    const since = Math.max(...(shownBy === "service" ? group.refunds.map(({ at }) => at) : []), firstAt(group));
    findings.push(found("refund_on_one_side", group, { amount: { minor, currency }, since, shownBy }));
  };
  const backlog = sums.shownBack - sums.refunded - sums.pending;
  if (showsRefunds && backlog > 0 && difference > 0) {
    const minor = Math.min(backlog, difference);
    note(minor, "shop");
    difference -= minor;
  }
  const unseen = sums.refunded - sums.shownBack;
  if (showsRefunds && unseen > 0 && difference < 0) {
    const minor = Math.min(unseen, -difference);
    note(minor, "service");
    difference += minor;
  }
  if (sums.pending > 0 && difference > 0) difference -= Math.min(sums.pending, difference);
  if (!showsRefunds) difference = sums.received - sums.due;
  return Math.abs(difference) <= sums.slack ? findings : [...findings, explainRest(group, currency, sums, difference)];
}

function explainRest(group: ClaimingGroup, currency: string, sums: Sums, difference: number): Finding {
  const amount = { minor: Math.abs(difference), currency };
  const shown = group.orders.filter(isShownPaid);
  if (difference > 0 && group.payments.length > shown.length) {
    const since = Math.max(...group.payments.map(({ at }) => at));
    return found("two_payments", group, { amount, since, orders: shown });
  }
  if (difference < 0 && shown.length > group.payments.length) {
    const since = Math.max(...shown.map(({ paidAt, createdAt }) => paidAt ?? createdAt));
    return found("payment_on_two_orders", group, { amount, since, orders: shown });
  }
  return found("amount_differs", group, {
    amount,
    since: firstAt(group),
    orders: shown,
    expected: { minor: sums.due, currency },
    actual: { minor: sums.received, currency },
  });
}

function firstAt({ payments }: ClaimingGroup): number {
  return Math.min(...payments.map(({ at }) => at));
}
