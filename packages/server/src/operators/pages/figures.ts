import type { Equation, Money, PaymentState } from "@tillkit/core";
import { type PaymentGroup, type PaymentStatistics, sumOfEquations } from "@tillkit/core/ledger";
import { RECEIVED } from "../../export/export-payments.ts";
import type { Period } from "../texts/figure-texts.ts";

/** What the overview shows of a period. */
export type Figures = {
  readonly period: Period;
  readonly storeId: string | null;
  /** The equation of all payments of each currency, the currency of most paid payments first. */
  readonly sums: readonly Equation[];
  /** The period before, up to the same time. */
  readonly before: Takings;
  readonly started: number;
  readonly paid: number;
  /** Payments that ended, paid or not. */
  readonly ended: number;
  readonly bars: readonly Bar[];
  readonly methods: readonly MethodFigures[];
  readonly refunds: RefundFigures;
  /** Today so far, and yesterday up to the same time. */
  readonly today: Takings;
  readonly yesterday: Takings;
};

/** How many payments were paid, and what was received in each currency, the currency of most paid payments first. */
export type Takings = { readonly paid: number; readonly received: readonly Money[] };

/** Completed refunds that began in the period, of payments of any age. */
export type RefundFigures = { readonly count: number; readonly hasMore: boolean };

/** `received`: what was received in each currency, in minor units and in the order of `sums`. */
export type Bar = {
  readonly at: number;
  readonly started: number;
  readonly paid: number;
  readonly received: readonly number[];
};

export type MethodFigures = { readonly method: string; readonly paid: number; readonly ended: number };

const PAID: ReadonlySet<PaymentState> = new Set(RECEIVED);
const UNDECIDED: ReadonlySet<PaymentState> = new Set(["intent", "open"]);

export function takingsOf(groups: readonly PaymentGroup[]): Takings {
  const paid = countOf(groups.filter(({ state }) => PAID.has(state)));
  return { paid, received: sumsOf(groups).map(({ received }) => received) };
}

/** Statistics of one environment: test and live payments are never added up. */
type FiguresInput = Pick<Figures, "period" | "storeId" | "today" | "yesterday"> & {
  readonly statistics: PaymentStatistics;
  /** The groups of the period before. */
  readonly before: readonly PaymentGroup[];
  /** When each bar begins. */
  readonly bars: readonly number[];
  readonly refunds: RefundFigures;
};

export function figuresOf({ statistics, before, period, storeId, ...input }: FiguresInput): Figures {
  const { groups } = statistics;
  const paid = groups.filter(({ state }) => PAID.has(state));
  const sums = sumsOf(groups);
  const receivedInBar = (some: readonly PaymentGroup[]) => sums.map((sum) => receivedIn(sum.received.currency, some));
  const ended = groups.filter(({ state }) => !UNDECIDED.has(state));
  return {
    period,
    storeId,
    sums,
    before: takingsOf(before),
    started: countOf(groups),
    paid: countOf(paid),
    ended: countOf(ended),
    bars: input.bars.map((at, index) => {
      const inBar = groups.filter(({ bar }) => bar === index);
      const paidInBar = inBar.filter(({ state }) => PAID.has(state));
      return { at, started: countOf(inBar), paid: countOf(paidInBar), received: receivedInBar(inBar) };
    }),
    methods: methodsOf(ended),
    refunds: input.refunds,
    today: input.today,
    yesterday: input.yesterday,
  };
}

/** The value below which `share` of the values are; null without values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function sumsOf(groups: readonly PaymentGroup[]): readonly Equation[] {
  const withMoney = groups.filter(({ equation }) => hasMoney(equation));
  const counts = new Map<string, number>();
  for (const { currency, count } of withMoney) counts.set(currency, (counts.get(currency) ?? 0) + count);
  const currencies = [...counts].toSorted(([, left], [, right]) => right - left).map(([currency]) => currency);
  return currencies.map((currency) => sumOfEquations(currency, equationsIn(currency, withMoney)));
}

/** A dispute may have taken money of which nothing else is known. */
function hasMoney({ received, disputed }: Equation): boolean {
  return received.minor !== 0 || disputed.minor !== 0;
}

function receivedIn(currency: string, groups: readonly PaymentGroup[]): number {
  return sumOfEquations(currency, equationsIn(currency, groups)).received.minor;
}

function equationsIn(currency: string, groups: readonly PaymentGroup[]): readonly Equation[] {
  return groups.filter((group) => group.currency === currency).map(({ equation }) => equation);
}

function methodsOf(ended: readonly PaymentGroup[]): readonly MethodFigures[] {
  const methods = [...new Set(ended.flatMap(({ method }) => (method === null ? [] : [method])))].sort();
  return methods.map((method) => {
    const ofMethod = ended.filter((group) => group.method === method);
    return { method, paid: countOf(ofMethod.filter(({ state }) => PAID.has(state))), ended: countOf(ofMethod) };
  });
}

function countOf(groups: readonly PaymentGroup[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}
