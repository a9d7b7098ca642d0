import type { Audit } from "../audit.ts";
import type { Finding } from "../findings/finding.ts";
import type { RowSums, SideSums } from "../sums.ts";

/** An audit for programs: times in ISO 8601 (UTC), amounts in minor units. `schemas/audit.json` of the command describes it. */
export function auditJson(audit: Audit): Readonly<Record<string, unknown>> {
  const { from, until, at, environment, addsUp, movements } = audit;
  return {
    at: iso(at),
    from: iso(from),
    until: iso(until),
    environment,
    addsUp,
    read: {
      service: {
        from: iso(movements.from),
        until: iso(movements.until),
        disputesSince: movements.disputesSince === null ? null : iso(movements.disputesSince),
      },
      shops: audit.shops.map((shop) => ({ shop: shop.shop, from: iso(shop.from), until: iso(shop.until) })),
    },
    findings: audit.findings.map(findingJson),
    groups: Object.fromEntries([...audit.outcomes].map(([outcome, sums]) => [outcome, sumsJson(sums)])),
    total: sumsJson(audit.sides),
    blind: audit.blind,
  };
}

function findingJson(finding: Finding): Readonly<Record<string, unknown>> {
  const { key, kind, certainty, because, amount, since, shownBy, expected, actual } = finding;
  return {
    key,
    kind,
    certainty,
    because,
    amount,
    since: iso(since),
    shownBy,
    expected,
    actual,
    orders: finding.orders.map(({ shop, id, number, url }) => ({ shop, id, number, url })),
    payments: finding.payments.map(({ id, code, session }) => ({ id, code, session })),
  };
}

function sumsJson({ orders, payments, refunds, disputes }: SideSums) {
  return {
    orders: rowsJson(orders),
    payments: rowsJson(payments),
    refunds: rowsJson(refunds),
    disputes: rowsJson(disputes),
  };
}

function rowsJson({ count, amounts }: RowSums) {
  return { count, amounts: [...amounts].map(([currency, minor]) => ({ minor, currency })) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
