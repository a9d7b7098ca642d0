import type { Environment, Money, PaymentGroup, PaymentState, PaymentStatistics, Refund } from "@tillkit/core";
import { RECEIVED } from "../../export/export-payments.ts";
import type { Period } from "../texts/figure-texts.ts";

/** What the overview shows of a period. */
export type Figures = {
  readonly period: Period;
  readonly storeId: string | null;
  /** Test and live payments are never added up. */
  readonly environment: Environment;
  readonly hasBothEnvironments: boolean;
  /** Paid amounts by currency, the currency of most payments first. */
  readonly volumes: readonly Money[];
  /** The period before, up to the same time: how many payments were paid, and their amount in the first currency of `volumes`. */
  readonly before: { readonly paid: number; readonly minor: number };
  readonly started: number;
  readonly paid: number;
  /** Payments that ended, paid or not. */
  readonly ended: number;
  readonly bars: readonly Bar[];
  readonly methods: readonly MethodFigures[];
  readonly orderDelaysMs: readonly number[];
  readonly webhookDelaysMs: readonly number[];
  readonly refunds: { readonly count: number; readonly hasMore: boolean; readonly amounts: readonly Money[] };
};

/** `minor` is the paid amount in the first currency of `volumes`. */
export type Bar = { readonly at: number; readonly started: number; readonly paid: number; readonly minor: number };

export type MethodFigures = { readonly method: string; readonly paid: number; readonly ended: number };

const PAID: ReadonlySet<PaymentState> = new Set(RECEIVED);
const UNDECIDED: ReadonlySet<PaymentState> = new Set(["intent", "open"]);

/** Live payments, unless the operator asked for test payments or there are only test payments. */
export function shownEnvironment(groups: readonly PaymentGroup[], wanted: Environment | null): Environment {
  if (wanted !== null) return wanted;
  const hasOnlyTest = groups.length > 0 && groups.every(({ environment }) => environment === "test");
  return hasOnlyTest ? "test" : "live";
}

type FiguresInput = Pick<Figures, "period" | "storeId" | "environment"> & {
  readonly statistics: PaymentStatistics;
  /** The groups of the period before. */
  readonly before: readonly PaymentGroup[];
  /** When each bar begins. */
  readonly bars: readonly number[];
  /** Completed refunds of payments of `environment`. */
  readonly refunds: readonly Refund[];
  readonly hasMoreRefunds: boolean;
};

export function figuresOf({ statistics, environment, period, storeId, ...input }: FiguresInput): Figures {
  const environments = new Set(statistics.groups.map((group) => group.environment));
  const groups = statistics.groups.filter((group) => group.environment === environment);
  const paid = groups.filter(({ state }) => PAID.has(state));
  const volumes = volumesOf(paid);
  const mainCurrency = volumes[0]?.currency;
  const ended = groups.filter(({ state }) => !UNDECIDED.has(state));
  const { refunds, hasMoreRefunds } = input;
  const paidBefore = input.before.filter((group) => group.environment === environment && PAID.has(group.state));
  const minorBefore = paidBefore.filter(({ currency }) => currency === mainCurrency).map(({ amount }) => amount);
  return {
    period,
    storeId,
    environment,
    hasBothEnvironments: environments.size > 1,
    volumes,
    before: { paid: countOf(paidBefore), minor: sum(minorBefore) },
    started: countOf(groups),
    paid: countOf(paid),
    ended: countOf(ended),
    bars: input.bars.map((at, index) => {
      const inBar = paid.filter(({ bar }) => bar === index);
      const amounts = inBar.filter(({ currency }) => currency === mainCurrency).map(({ amount }) => amount);
      const started = countOf(groups.filter(({ bar }) => bar === index));
      return { at, started, paid: countOf(inBar), minor: sum(amounts) };
    }),
    methods: methodsOf(ended),
    orderDelaysMs: statistics.orderDelaysMs,
    webhookDelaysMs: statistics.webhookDelaysMs,
    refunds: {
      count: refunds.length,
      hasMore: hasMoreRefunds,
      amounts: sumByCurrency(refunds.map(({ amount }) => amount)),
    },
  };
}

/** The value below which `share` of the values are; null without values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function volumesOf(paid: readonly PaymentGroup[]): readonly Money[] {
  const counts = new Map<string, number>();
  for (const { currency, count } of paid) counts.set(currency, (counts.get(currency) ?? 0) + count);
  const volumes = sumByCurrency(paid.map(({ currency, amount }) => ({ minor: amount, currency })));
  return volumes.toSorted((left, right) => (counts.get(right.currency) ?? 0) - (counts.get(left.currency) ?? 0));
}

function methodsOf(ended: readonly PaymentGroup[]): readonly MethodFigures[] {
  const methods = [...new Set(ended.flatMap(({ method }) => (method === null ? [] : [method])))].sort();
  return methods.map((method) => {
    const ofMethod = ended.filter((group) => group.method === method);
    return { method, paid: countOf(ofMethod.filter(({ state }) => PAID.has(state))), ended: countOf(ofMethod) };
  });
}

function sumByCurrency(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<string, number>();
  for (const { minor, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return [...sums].map(([currency, minor]) => ({ currency, minor }));
}

function countOf(groups: readonly PaymentGroup[]): number {
  return sum(groups.map(({ count }) => count));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
