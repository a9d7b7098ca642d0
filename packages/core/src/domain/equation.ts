import { type Dispute, isLostDispute, isOpenDispute } from "./dispute.ts";
import type { Money } from "./money.ts";
import { hasCertainlyPaid, type Movements, namesTransaction, type PaidTransaction } from "./movement.ts";
import type { Payment } from "./payment.ts";
import { ARRIVED_STATES } from "./payment-states.ts";
import { hasNoResult, type Refund } from "./refund.ts";

/**
 * Where the money of one transaction is: `available = received − returned − leaving − disputed`. The service caps refunds by
 * transaction, so each transaction has its own equation, and a payment shows their sum. Fees stay outside; whoever shows a net
 * subtracts them.
 */
export type Equation = {
  /** Null while nothing names the transaction that paid. */
  readonly transactionId: string | null;
  /** The transaction's gross, or the session's amount until the transaction is read. */
  readonly received: Money;
  /** Completed refunds. */
  readonly returned: Money;
  /** Refunds that are requested, unknown or pending, and refunds that may be of this transaction or of another one. */
  readonly leaving: Money;
  /** Disputes that are open or lost. */
  readonly disputed: Money;
  /** What a refund may take. Negative is a shortfall, such as after a dispute of a payment that was refunded: it is never rounded up to zero. */
  readonly available: Money;
};

/**
 * The equation of each transaction that certainly paid the payment, the transaction that paid its session first. A payment without
 * such a transaction has one equation without an id. Disputes that name no known transaction belong to the first, and so do such refunds
 * of a payment with one transaction. With several transactions, such a refund belongs to none of them for certain (`withUnplaced`).
 * Nothing outside this file adds money up.
 */
export function equationsOf(payment: Payment, movements: Movements): readonly [Equation, ...Equation[]] {
  const { own, unplaced } = separate(payment, movements);
  const [first, ...others] = own;
  if (unplaced === null) return own;
  return [
    withUnplaced(first, others, unplaced),
    ...others.map((one) => withUnplaced(one, without(own, one), unplaced)),
  ];
}

/**
 * The same equations as lines that add up to the payment's sum: what may have gone back from any of the transactions counts once, in the line of
 * the first one.
 */
export function linesOf(payment: Payment, movements: Movements): readonly [Equation, ...Equation[]] {
  const {
    own: [first, ...others],
    unplaced,
  } = separate(payment, movements);
  return [unplaced === null ? first : sumOf(first, unplaced), ...others];
}

/**
 * Whether money of this transaction can go back in this currency. The service's refunds are read in the session's currency, so what arrived
 * in another one cannot be counted: its owner refunds it in the service's dashboard.
 */
export function isRefundableIn(
  currency: string,
  { amountReceived, amountDue }: Pick<Payment, "amountReceived" | "amountDue">,
  { received }: Equation,
): boolean {
  const ofSession = (amountReceived ?? amountDue).currency;
  return currency === ofSession && received.currency === ofSession;
}

/**
 * What a refund may take at most once a person has confirmed that a dispute takes some of it as well: that money may go back twice. Null
 * where no dispute takes anything, or nothing is left.
 */
export function overDisputeOf({
  available,
  disputed,
}: Equation): { readonly disputed: Money; readonly atMost: Money } | null {
  const atMost = { ...available, minor: available.minor + disputed.minor };
  return disputed.minor > 0 && atMost.minor > 0 ? { disputed, atMost } : null;
}

/**
 * The largest amount that a person may ask for: what is left, or what they may confirm where a dispute holds or took all of it. Zero where
 * nothing is left.
 */
export function mostRefundable(equation: Equation): Money {
  const { available } = equation;
  if (available.minor > 0) return available;
  return overDisputeOf(equation)?.atMost ?? { ...available, minor: 0 };
}

/** The sum of equations of one currency, such as those of the payments of a day. */
export function sumOfEquations(currency: string, equations: readonly Equation[]): Equation {
  const nothing = balance(null, currency, { received: 0, returned: 0, leaving: 0, disputed: 0 });
  return equations.reduce(sumOf, nothing);
}

/** The sum of a payment's equations. A transaction in another currency than the first is left out: it has an equation of its own. */
export function equationOf(payment: Payment, movements: Movements): Equation {
  const { own, unplaced } = separate(payment, movements);
  const [first, ...others] = own;
  return [...others.filter(hasCurrencyOf(first)), ...(unplaced === null ? [] : [unplaced])].reduce(sumOf, first);
}

/** `own`: what certainly belongs to each transaction. `unplaced`: the refunds that may be of any of them, with nothing received. */
type Separate = { readonly own: readonly [Equation, ...Equation[]]; readonly unplaced: Equation | null };

function separate(payment: Payment, movements: Movements): Separate {
  const certain = certainTransactions(payment, movements.transactions);
  const [first, ...others] = certain;
  const names = (transaction: PaidTransaction) => (movement: Pick<Refund | Dispute, "transactionId">) =>
    namesTransaction(movement.transactionId ?? "", transaction);
  const isUnplaced = (refund: Refund) => others.length > 0 && !certain.some((one) => names(one)(refund));
  const isOfOther = (movement: Refund | Dispute) => others.some((one) => names(one)(movement));
  const placed = movements.refunds.filter((refund) => !isUnplaced(refund));
  const ofFirst = {
    refunds: placed.filter((refund) => !isOfOther(refund)),
    disputes: movements.disputes.filter((dispute) => !isOfOther(dispute)),
  };
  const ofOthers = others.map((one) =>
    equationOfTransaction(one.id, one.amount, {
      refunds: placed.filter(names(one)),
      disputes: movements.disputes.filter(names(one)),
    }),
  );
  const own = equationOfTransaction(
    first?.id ?? null,
    first?.amount ?? sessionAmount(payment, ofFirst.refunds),
    ofFirst,
  );
  const refunds = movements.refunds.filter(isUnplaced);
  const nothing = { ...own.received, minor: 0 };
  return {
    own: [own, ...ofOthers],
    unplaced: refunds.length === 0 ? null : equationOfTransaction(null, nothing, { refunds, disputes: [] }),
  };
}

/**
 * The equation of one transaction beside refunds that may be of it or of the others. What the others have no room for went back from this
 * one for certain. Beyond that it keeps what it has, but no more than what is left of all of them together: the rest counts as leaving,
 * because it may have left.
 */
function withUnplaced(own: Equation, all: readonly Equation[], unplaced: Equation): Equation {
  if (!hasCurrencyOf(unplaced)(own)) return own;
  const others = all.filter(hasCurrencyOf(own));
  const room = add(others.map(({ received, returned }) => Math.max(0, received.minor - returned.minor)));
  const back = Math.max(0, unplaced.returned.minor - room);
  const whole = add([own, ...others, unplaced].map(({ available }) => available.minor));
  const available = Math.min(own.available.minor, whole);
  return {
    ...own,
    returned: { ...own.returned, minor: own.returned.minor + back },
    leaving: { ...own.leaving, minor: own.leaving.minor + own.available.minor - back - available },
    available: { ...own.available, minor: available },
  };
}

function without(all: readonly Equation[], one: Equation): readonly Equation[] {
  return all.filter((other) => other !== one);
}

function hasCurrencyOf({ received: { currency } }: Equation): (other: Equation) => boolean {
  return ({ received }) => received.currency === currency;
}

/** Whether refunds alone have returned everything that the paying transaction received. A dispute never makes a payment refunded. */
export function isFullyReturned(payment: Payment, movements: Movements): boolean {
  const [{ received, returned }] = equationsOf(payment, movements);
  return received.minor > 0 && returned.minor >= received.minor;
}

/** Whether lost disputes have taken back all that was left of the payment. An open dispute is not decided, so it does not count here. */
export function isLostToDispute(payment: Payment, movements: Movements): boolean {
  const disputes = movements.disputes.filter(isLostDispute);
  if (disputes.length === 0) return false;
  const { received, available } = equationOf(payment, { ...movements, disputes });
  return received.minor > 0 && available.minor <= 0;
}

/**
 * The sum of a payment from which more left than arrived, or its transaction from which more left, although another one still holds money; null
 * where there is neither.
 */
export function shortfallOf(payment: Payment, movements: Movements): Equation | null {
  const all = [equationOf(payment, movements), ...equationsOf(payment, movements)];
  return all.find(({ available }) => available.minor < 0) ?? null;
}

/** The transactions besides the one that paid the session, with the money that is still there: it is the shopper's. */
export function surplusOf(payment: Payment, movements: Movements): readonly Equation[] {
  return equationsOf(payment, movements)
    .slice(1)
    .filter(({ available }) => available.minor > 0);
}

/** Whether a refund is of a transaction besides the one that paid the session. That money pays no order, so its refund changes none. */
export function isOfFurtherTransaction(
  payment: Payment,
  { transactions }: Movements,
  { transactionId }: Pick<Refund, "transactionId">,
): boolean {
  const [, ...others] = certainTransactions(payment, transactions);
  return others.some((one) => namesTransaction(transactionId, one));
}

/**
 * The transactions that certainly paid, the one that the payment names first. A declined transaction has received nothing and is left
 * out. While no transaction was read, the one that the session named stands for the session's amount.
 */
export function certainTransactions(
  { transactionId }: Pick<Payment, "transactionId">,
  transactions: readonly PaidTransaction[],
): readonly PaidTransaction[] {
  const certain = transactions.filter(hasCertainlyPaid);
  const isNamed = (transaction: PaidTransaction) => namesTransaction(transactionId ?? "", transaction);
  const namedFirst = [...certain.filter(isNamed), ...certain.filter((transaction) => !isNamed(transaction))];
  const read = namedFirst.filter(({ isRead }) => isRead);
  // What a person decided while the service named nothing ends when the service names another transaction.
  const identified = read.filter(({ evidence }) => evidence === "identity");
  if (identified.length > 0) return identified;
  return read.length > 0 ? read : namedFirst.slice(0, 1);
}

// A refund that was made proves that money arrived.
function sessionAmount({ amountReceived, amountDue, state }: Payment, refunds: readonly Refund[]): Money {
  const hasArrived = ARRIVED_STATES.has(state) || refunds.some((refund) => refund.state === "completed");
  return amountReceived ?? { ...amountDue, minor: hasArrived ? amountDue.minor : 0 };
}

type Leaving = {
  readonly refunds: readonly Pick<Refund, "state" | "amount">[];
  readonly disputes: readonly Pick<Dispute, "status" | "outcome" | "amount">[];
};

/** The equation of one transaction, of which these are all refunds and disputes: also where no ledger knows its payment. */
export function equationOfTransaction(
  transactionId: string | null,
  received: Money,
  { refunds, disputes }: Leaving,
): Equation {
  const { currency } = received;
  const returned = add(refunds.filter(({ state }) => state === "completed").map(({ amount }) => amount.minor));
  const leaving = add(refunds.filter(hasNoResult).map(({ amount }) => amount.minor));
  const counted = disputes.filter((dispute) => isOpenDispute(dispute) || isLostDispute(dispute));
  // A dispute whose amount is unknown or in another currency counts whole.
  const disputed = add(counted.map(({ amount }) => (amount?.currency === currency ? amount.minor : received.minor)));
  return balance(transactionId, currency, { received: received.minor, returned, leaving, disputed });
}

/** What was received and what has left of it, in minor units, as an equation. */
export function balance(
  transactionId: string | null,
  currency: string,
  { received, returned, leaving, disputed }: Readonly<Record<"received" | "returned" | "leaving" | "disputed", number>>,
): Equation {
  const money = (minor: number) => ({ minor, currency });
  return {
    transactionId,
    received: money(received),
    returned: money(returned),
    leaving: money(leaving),
    disputed: money(disputed),
    available: money(received - returned - leaving - disputed),
  };
}

function sumOf(left: Equation, right: Equation): Equation {
  const sum = (part: Exclude<keyof Equation, "transactionId" | "available">) => left[part].minor + right[part].minor;
  return balance(left.transactionId, left.received.currency, {
    received: sum("received"),
    returned: sum("returned"),
    leaving: sum("leaving"),
    disputed: sum("disputed"),
  });
}

function add(amounts: readonly number[]): number {
  return amounts.reduce((sum, minor) => sum + minor, 0);
}
