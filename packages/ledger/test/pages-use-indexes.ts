import { PAYMENT_STATES } from "@tillkit/core/ledger";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema, Session } from "../src/database/schema.ts";
import { HISTORY } from "../src/migrations/history.ts";
import { findCandidates } from "../src/retention/archive-candidates.ts";
import { readHistories } from "../src/retention/history-rows.ts";
import { createLedgerView } from "../src/view/ledger-view.ts";
import { createOperatorActs } from "../src/view/operator-acts.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 6, 12);
const ninetyDays = (offset: number) => ({
  bars: Array.from({ length: 90 }, (_, day) => NOON + offset + day * DAY),
  until: NOON + offset + 90 * DAY,
});
const oneDay = { bars: Array.from({ length: 24 }, (_, hour) => NOON + hour * HOUR), until: NOON + DAY };
const page = { limit: 50 };
const nextPage = (key: readonly (string | number)[]) => ({
  limit: 50,
  after: Buffer.from(JSON.stringify(key)).toString("base64url"),
});

type View = ReturnType<typeof createLedgerView> & ReturnType<typeof createOperatorActs>;

/** Where the search of an archive is: among the timeline's entries, and among the webhooks. */
const ARCHIVE_POSITIONS = [{ sequence: 7 }, { outcome: 0, key: [NOON, "endpoint-1", "digest-1"] }] as const;

/** The queries of the operators' pages, in the words of the pages. */
const QUERIES: Readonly<Record<string, (view: View) => Promise<unknown>>> = {
  "the figures of 24 hours": (view) => view.paymentStatistics(oneDay),
  "the figures of 90 days": (view) => view.paymentStatistics(ninetyDays(12 * HOUR)),
  "the figures of 90 days of one shop": (view) => view.paymentStatistics({ ...ninetyDays(12 * HOUR), storeId: "hats" }),
  "the figures of 90 days in a zone that is half an hour off": (view) => view.paymentStatistics(ninetyDays(HOUR / 2)),
  "the figures of one environment": (view) => view.paymentStatistics({ ...oneDay, environment: "live" }),
  "the refunds of a period": (view) => view.listRefunds({ from: NOON, until: NOON + DAY, ...page }),
  "the refunds of one shop": (view) => view.listRefunds({ storeId: "hats", ...page }),
  "the numbers of payments": (view) => view.countPayments({ atMost: 10_000 }),
  "the numbers of test payments": (view) => view.countPayments({ atMost: 10_000, environment: "test" }),
  "the numbers of webhooks": (view) => view.countDeliveries({ atMost: 10_000 }),
  "the newest payments": (view) => view.listPayments(page),
  "the newest test payments": (view) => view.listPayments({ environment: "test", ...page }),
  "the live payments of one shop": (view) => view.listPayments({ environment: "live", storeId: "hats", ...page }),
  "held test payments": (view) => view.listPayments({ environment: "test", states: ["review"], ...page }),
  "older payments": (view) => view.listPayments(nextPage([NOON, 7])),
  "the payments of one shop": (view) => view.listPayments({ storeId: "hats", ...page }),
  "held payments": (view) => view.listPayments({ states: ["review", "duplicate"], ...page }),
  "payments of a method and an amount": (view) => view.listPayments({ method: "WAVE", minAmount: 1, ...page }),
  "the payments of an order's number": (view) => view.listPayments({ orderNumber: "1042", ...page }),
  "the payments of a customer": (view) => view.listPayments({ customerId: "c-1", states: PAYMENT_STATES, ...page }),
  "the details of a payment": (view) => view.transactionDetails("p1"),
  "the money of some payments": (view) => view.paymentsWithMovements(["p1", "p2"]),
  "payments of several transactions": (view) => view.paymentsOfSeveralTransactions(page),
  "the webhooks": (view) => view.listDeliveries(page),
  "the webhooks of a payment": (view) => view.listDeliveries({ paymentId: "p1", ...page }),
  orphans: (view) => view.listDeliveries({ outcome: "orphan", ...page }),
  disputes: (view) => view.listDisputes(page),
  "test disputes": (view) => view.listDisputes({ environment: "test", ...page }),
  "the numbers of test disputes": (view) => view.countDisputes({ environment: "test" }),
  "dead-letter jobs": (view) => view.listJobs({ dead: true, ...page }),
  "the jobs of a payment": (view) => view.listJobs({ paymentId: "p1", ...page }),
  "the log of acts": (view) => view.listActs(page),
  "the acts about a payment": (view) => view.listActs({ paymentId: "p1", ...page }),
};

/** Tables that grow with the payments. All others stay small. */
const GROWING = ["payments", "transactions", "deliveries", "refunds", "timeline", "payment_hours"].map(
  (name) => `tillkit_${name}`,
);

/** Tests on one engine that no query of a page or of an archive reads all rows of a growing table. */
export function pagesUseIndexes(where: string, newUrl: () => string): void {
  it(`the queries of the operators' pages and of an archive use indexes ${where}`, async () => {
    const database = await openDatabase<LedgerSchema>(newUrl());
    await database.migrate(HISTORY);
    await fillHours(database);
    for (const position of ARCHIVE_POSITIONS) {
      const plan = await planOf(database, async (session) => {
        await findCandidates(session, position, { before: NOON, limit: 2_000 });
        await readHistories(session, ["p1", "p2"]);
      });
      expect(plan, "the search of an archive").not.toEqual([]);
      expect(plan.filter(readsAllRows), "the search of an archive").toEqual([]);
    }
    for (const [name, runQuery] of Object.entries(QUERIES)) {
      const plan = await planOf(database, (session) =>
        runQuery({ ...createLedgerView(session, database.engine), ...createOperatorActs(session) }),
      );
      expect(plan, name).not.toEqual([]);
      expect(plan.filter(readsAllRows), name).toEqual([]);
    }
    // A query without an index shows that this test would notice it.
    const withoutIndex = await planOf(database, (session) =>
      sql`select * from tillkit_payments where wire_amount = 1`.execute(session),
    );
    expect(withoutIndex.filter(readsAllRows)).toHaveLength(1);
    await database.close();
  });
}

const HOURS_OF_TWO_YEARS = 2 * 365 * 24;

/** Fills the sums of two years, because PostgreSQL chooses other plans for an empty table. */
async function fillHours({ db, engine }: Database<LedgerSchema>): Promise<void> {
  const lastHour = NOON / HOUR;
  await sql`insert into tillkit_payment_hours (store_id, hour, environment, currency, state, method, count, received)
    with recursive hours (hour) as (select ${sql.lit(lastHour - HOURS_OF_TWO_YEARS)} union all
      select hour + 1 from hours where hour < ${sql.lit(lastHour)})
    select '', hour, 'live', 'XOF', 'recorded', 'WAVE', 1, 5000 from hours`.execute(db);
  await sql.raw(engine === "postgres" ? "vacuum analyze tillkit_payment_hours" : "analyze").execute(db);
}

const READS_ALL_ROWS = [
  // SQLite reads a table or an index from its beginning to its end, or makes an index for this query.
  new RegExp(`^SCAN (?:${GROWING.join("|")}|payment|refund|job)$`),
  /AUTOMATIC/,
  // Each bar would be compared with all hours of the store.
  /Join Filter: .*tillkit_payment_hours\.hour/,
  new RegExp(`Seq Scan on (?:${GROWING.join("|")})\\b`),
];

function readsAllRows(line: string): boolean {
  return READS_ALL_ROWS.some((pattern) => pattern.test(line));
}

/** The plan of each query of `work`, in a transaction in which PostgreSQL reads whole tables only where it must. */
async function planOf(
  { engine, transaction }: Database<LedgerSchema>,
  work: (session: Session) => Promise<unknown>,
): Promise<readonly string[]> {
  return await transaction(async (session) => {
    // Without whole tables the estimated costs are so high that PostgreSQL would compile each query first.
    if (engine === "postgres") await sql.raw("set local enable_seqscan = off; set local jit = off").execute(session);
    const lines: string[] = [];
    const executor = session.getExecutor();
    const execute = executor.executeQuery.bind(executor);
    const command = engine === "postgres" ? "explain" : "explain query plan";
    executor.executeQuery = async (query, ...rest) => {
      const { rows } = await execute({ ...query, sql: `${command} ${query.sql}` }, ...rest);
      lines.push(...rows.map((row) => String(Object.values(row as object).at(-1)).trim()));
      return await execute(query, ...rest);
    };
    try {
      await work(session);
    } finally {
      executor.executeQuery = execute;
    }
    return lines;
  });
}
