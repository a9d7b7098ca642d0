import type { Facts, OrderCoverage } from "./facts/facts.ts";
import { checkBalance } from "./findings/check-balance.ts";
import { FINDING_KINDS, type Finding, type FindingKind } from "./findings/finding.ts";
import { type Context, judgeGroup, type Outcome } from "./findings/judge-group.ts";
import { groupFacts } from "./matching/group-facts.ts";
import type { ClaimingGroup } from "./matching/match-by-resemblance.ts";
import { addGroup, createSums, type SideSums, sidesOf, sumsAgree } from "./sums.ts";

export type AuditRequest = {
  /** The period that is asked about: `from` is included, `until` is not. Milliseconds since 1970, as `now`. */
  readonly from: number;
  readonly until: number;
  readonly now: number;
  /** Receives every group, for a list of all orders and movements. */
  readonly onGroup?: (group: ClaimingGroup, outcome: Outcome) => void;
};

/** What an input cannot show. `why` is a code; `shop` is null for the service. */
export type Blind = {
  readonly kind: FindingKind;
  readonly shop: string | null;
  readonly why:
    | "no_refunds"
    | "no_cancellations"
    | "no_methods"
    | "no_disputes_of_shop"
    | "no_delivery_logs"
    | "no_test_key"
    | "one_balance";
};

/** What arrived on one day (UTC) in one currency, and the differences that began on it. */
export type Day = {
  readonly at: number;
  readonly currency: string;
  readonly payments: number;
  readonly minor: number;
  readonly findings: number;
};

export type Audit = {
  readonly from: number;
  readonly until: number;
  readonly at: number;
  readonly environment: "test" | "live";
  readonly shops: readonly OrderCoverage[];
  readonly movements: Facts["movements"];
  /** By kind in the order of the report, then the largest amount first. */
  readonly findings: readonly Finding[];
  readonly blind: readonly Blind[];
  readonly days: readonly Day[];
  /** What both sides hold, added up once over the input and once over the groups. */
  readonly sides: SideSums;
  readonly outcomes: ReadonlyMap<Outcome, SideSums>;
  /** Whether the sums of the groups are those of the sides. */
  readonly addsUp: boolean;
};

/** Compares orders with money. Nothing is read or written here. */
export function audit(facts: Facts, request: AuditRequest): Audit {
  const { from, until, now } = request;
  const environment = facts.movements.environments.includes("live") ? "live" : "test";
  const context: Context = {
    from,
    until,
    now,
    shops: new Map(facts.shops.map((shop) => [shop.shop, shop])),
    movements: facts.movements,
    environment,
  };
  const outcomes = new Map<Outcome, SideSums>();
  const findings: Finding[] = [];
  for (const group of groupFacts(facts)) {
    const verdict = judgeGroup(group, context);
    findings.push(...verdict.findings);
    addGroup(sumsOf(outcomes, verdict.outcome), group);
    request.onGroup?.(group, verdict.outcome);
  }
  findings.push(...checkBalance(facts, environment));
  const sides = sidesOf(facts);
  return {
    from,
    until,
    at: now,
    environment,
    shops: facts.shops,
    movements: facts.movements,
    findings: findings.sort(inReportOrder),
    blind: blindOf(facts, environment),
    days: daysOf(facts, findings, { from, until, environment }),
    sides,
    outcomes,
    addsUp: sumsAgree(sides, [...outcomes.values()]),
  };
}

function sumsOf(outcomes: Map<Outcome, SideSums>, outcome: Outcome): SideSums {
  const known = outcomes.get(outcome);
  if (known) return known;
  const sums = createSums();
  outcomes.set(outcome, sums);
  return sums;
}

function inReportOrder(left: Finding, right: Finding): number {
  const byKind = FINDING_KINDS.indexOf(left.kind) - FINDING_KINDS.indexOf(right.kind);
  return byKind || right.amount.minor - left.amount.minor || left.since - right.since;
}

function blindOf(facts: Facts, environment: "test" | "live"): readonly Blind[] {
  const ofShops = facts.shops.flatMap(({ shop, shows }): Blind[] => [
    ...(shows.refunds ? [] : [{ kind: "refund_on_one_side", shop, why: "no_refunds" } as const]),
    ...(shows.cancellations ? [] : [{ kind: "cancelled_and_kept", shop, why: "no_cancellations" } as const]),
    ...(shows.methods ? [] : [{ kind: "shown_without_money", shop, why: "no_methods" } as const]),
    ...(shows.disputes ? [] : [{ kind: "dispute_unknown", shop, why: "no_disputes_of_shop" } as const]),
  ]);
  const hasTest = environment === "test" || facts.movements.environments.includes("test");
  const readings = facts.balances.filter(
    (balance) => balance.environment === environment && balance.at >= facts.movements.from,
  );
  const hasChange = new Set(readings.map(({ at }) => at)).size > 1;
  return [
    ...ofShops,
    ...(facts.movements.disputesSince === null
      ? [{ kind: "dispute_unknown", shop: null, why: "no_delivery_logs" } as const]
      : []),
    ...(hasTest ? [] : [{ kind: "test_money", shop: null, why: "no_test_key" } as const]),
    ...(hasChange ? [] : [{ kind: "balance_differs", shop: null, why: "one_balance" } as const]),
  ];
}

const DAY = 86_400_000;

function daysOf(
  facts: Facts,
  findings: readonly Finding[],
  period: Pick<Audit, "from" | "until" | "environment">,
): readonly Day[] {
  const days = new Map<string, { -readonly [Key in keyof Day]: Day[Key] }>();
  const dayOf = (time: number, currency: string) => {
    const at = Math.floor(time / DAY) * DAY;
    const key = `${at} ${currency}`;
    const known = days.get(key) ?? { at, currency, payments: 0, minor: 0, findings: 0 };
    days.set(key, known);
    return known;
  };
  for (const { at, amount, environment } of facts.payments) {
    if (environment !== period.environment || at < period.from || at >= period.until) continue;
    const day = dayOf(at, amount.currency);
    day.payments += 1;
    day.minor += amount.minor;
  }
  for (const { since, amount } of findings) dayOf(since, amount.currency).findings += 1;
  return [...days.values()].sort((left, right) => left.at - right.at);
}
