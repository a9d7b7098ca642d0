import { balance, type PaymentGroup, type StatisticsQuery } from "@tillkit/core/ledger";
import { type RawBuilder, sql } from "kysely";
import type { Session } from "../database/schema.ts";
import { ALL_STORES } from "../payment-hours.ts";
import type { Engine } from "./payment-search.ts";

const HOUR_MS = 3_600_000;

/** A part of the chart's bar number `bar`, from `begin` to before `end`: in milliseconds, or in full hours since 1970. */
type Range = { readonly bar: number; readonly begin: number; readonly end: number };

/**
 * Counts and sums payments for each bar of a chart. Full hours come from the sums that the ledger keeps and from the changes since the
 * last sum. A bar that begins or ends within an hour, as in a time zone that is half an hour off, reads the payments of that hour. One
 * statement reads everything, so that a change counts once even while another process moves it to the sums.
 */
export async function countPaymentGroups(
  session: Session,
  engine: Engine,
  query: StatisticsQuery,
): Promise<readonly PaymentGroup[]> {
  const ranges = rangesOf(query);
  const hours = ranges.flatMap(fullHoursOf);
  const parts = ranges.flatMap(partialHoursOf);
  const withClauses: RawBuilder<unknown>[] = [];
  const sources: RawBuilder<unknown>[] = [];
  if (hours.length > 0) {
    withClauses.push(sql`hours_of_bars (bar, range_begin, range_end) as (values ${valuesOf(hours)})`);
    sources.push(selectSummedHours(engine, query), selectChangedHours(query));
  }
  if (parts.length > 0) {
    withClauses.push(sql`parts_of_bars (bar, range_begin, range_end) as (values ${valuesOf(parts)})`);
    sources.push(selectPaymentsOfParts(engine, query));
  }
  if (sources.length === 0) return [];
  const integer = engine === "postgres" ? sql`bigint` : sql`integer`;
  const { rows } = await sql<GroupRow>`
    with ${sql.join(withClauses)}
    select bar, environment, currency, state, nullif(method, '') as method, ${sql.join(SUMS.map((name) => sql`cast(sum(${sql.ref(name)}) as ${integer}) as ${sql.ref(name)}`))}
    from (${sql.join(sources, sql` union all `)}) as counted
    where ${query.environment === undefined ? sql`true` : sql`environment = ${query.environment}`}
    group by bar, environment, currency, state, method having sum(count) <> 0`.execute(session);
  return rows.map(({ bar, environment, currency, state, method, count, ...sums }) => {
    return { bar, environment, currency, state, method, count, equation: balance(null, currency, sums) };
  });
}

const SUMS = ["count", "received", "returned", "leaving", "disputed"] as const;
const COLUMNS = sql.raw(`environment, currency, state, method, ${SUMS.join(", ")}`);

type GroupRow = Omit<PaymentGroup, "equation"> & Readonly<Record<(typeof SUMS)[number], number>>;

function rangesOf({ bars, until }: StatisticsQuery): readonly Range[] {
  return bars.map((begin, bar) => ({ bar, begin, end: bars[bar + 1] ?? until }));
}

/** The full hours of a range in milliseconds, as a range in hours since 1970; empty if the range has no full hour. */
function fullHoursOf({ bar, begin, end }: Range): readonly Range[] {
  const hours = { bar, begin: Math.ceil(begin / HOUR_MS), end: Math.floor(end / HOUR_MS) };
  return hours.begin < hours.end ? [hours] : [];
}

/** The parts of a range before and after its full hours, in milliseconds. */
function partialHoursOf(range: Range): readonly Range[] {
  const [hours] = fullHoursOf(range);
  const parts =
    hours === undefined
      ? [range]
      : [
          { ...range, end: hours.begin * HOUR_MS },
          { ...range, begin: hours.end * HOUR_MS },
        ];
  return parts.filter(({ begin, end }) => begin < end);
}

function selectSummedHours(engine: Engine, { storeId }: StatisticsQuery): RawBuilder<unknown> {
  const isInRange = sql`store_id = ${storeId ?? ALL_STORES} and hour >= range_begin and hour < range_end`;
  return sql`select bar, ${COLUMNS}
    ${fromEachRange(engine, sql`hours_of_bars`, sql`tillkit_payment_hours`, isInRange)}`;
}

// Most changes are of the last hours, so they are added up before they are compared with all ranges.
function selectChangedHours({ storeId }: StatisticsQuery): RawBuilder<unknown> {
  return sql`select bar, ${COLUMNS} from (
      select hour, environment, currency, state, method,
        ${sql.join(SUMS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from tillkit_payment_changes
      where ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
      group by hour, environment, currency, state, method) as changes
    cross join hours_of_bars where hour >= range_begin and hour < range_end`;
}

function selectPaymentsOfParts(engine: Engine, { storeId }: StatisticsQuery): RawBuilder<unknown> {
  const index = engine === "sqlite" ? sql`indexed by tillkit_payments_by_time` : sql``;
  const isInRange = sql`created_at >= range_begin and created_at < range_end
    and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}`;
  return sql`select bar, environment, coalesce(sum_currency, amount_due_currency) as currency, state,
      coalesce(method, '') as method, 1 as count, sum_received as received, sum_returned as returned,
      sum_leaving as leaving, sum_disputed as disputed
    ${fromEachRange(engine, sql`parts_of_bars`, sql`tillkit_payments ${index}`, isInRange)}`;
}

// Looks up each range in an index. SQLite does so for a cross join. PostgreSQL would read all rows once and compare each row with every
// range, because it cannot know how short the ranges are; `offset 0` makes it run the subquery for each range.
function fromEachRange(
  engine: Engine,
  ranges: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
  isInRange: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return engine === "postgres"
    ? sql`from ${ranges} cross join lateral (select * from ${table} where ${isInRange} offset 0) as found`
    : sql`from ${ranges} cross join ${table} where ${isInRange}`;
}

// Literals, because PostgreSQL would read bound values in a list as text.
function valuesOf(ranges: readonly Range[]): RawBuilder<unknown> {
  return sql.join(ranges.map(({ bar, begin, end }) => sql`(${sql.lit(bar)}, ${sql.lit(begin)}, ${sql.lit(end)})`));
}
