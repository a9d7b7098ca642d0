import type { Database } from "@tillkit/sql";
import type { Finding } from "../findings/finding.ts";
import type { FactTables } from "../store/fact-store.ts";

/** A finding with its life: when it was seen first and last, when it healed, and when somebody was told. Milliseconds since 1970. */
export type WatchedFinding = {
  readonly finding: Finding;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly healedAt: number | null;
  readonly alertedAt: number | null;
};

export type FindingStore = {
  /**
   * What a round found. A finding of before that is not there any more has healed, unless it began before `from`: the round did not look
   * there. One that returns is open again, and somebody is told again.
   */
  recordRound(findings: readonly Finding[], round: { readonly from: number; readonly at: number }): Promise<void>;
  open(limit: number): Promise<readonly WatchedFinding[]>;
  healed(limit: number): Promise<readonly WatchedFinding[]>;
  /** Open findings that nobody was told of, and that were first seen at this time at the latest. */
  unalerted(seenUntil: number): Promise<readonly WatchedFinding[]>;
  markAlerted(keys: readonly string[], at: number): Promise<void>;
  countHealed(): Promise<number>;
  state(name: string): Promise<string | null>;
  /** False when the state is not `from` any more: another process was faster. */
  changeState(name: string, from: string | null, to: string): Promise<boolean>;
};

const GUARD = "guard";

export function findingStoreOf(database: Database<FactTables>): FindingStore {
  const { db } = database;
  const rows = () => db.selectFrom("tillkit_guard_findings").selectAll();
  return {
    async recordRound(findings, { from, at }) {
      await database.transaction(async (session) => {
        const known = await session.selectFrom("tillkit_guard_findings").selectAll().execute();
        const byKey = new Map(known.map((row) => [row.key, row]));
        const found = new Map(findings.map((finding) => [finding.key, finding]));
        for (const [key, finding] of found) {
          const before = byKey.get(key);
          const isNew = before === undefined || before.healed_at !== null;
          const row = {
            finding: JSON.stringify(finding),
            first_seen: isNew ? at : before.first_seen,
            last_seen: at,
            healed_at: null,
            alerted_at: isNew ? null : before.alerted_at,
          };
          await session
            .insertInto("tillkit_guard_findings")
            .values({ key, ...row })
            .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
            .execute();
        }
        const gone = known.filter(
          (row) => row.healed_at === null && !found.has(row.key) && parse(row).finding.since >= from,
        );
        for (const { key } of gone)
          await session.updateTable("tillkit_guard_findings").set({ healed_at: at }).where("key", "=", key).execute();
      });
    },
    open: async (limit) =>
      (await rows().where("healed_at", "is", null).orderBy("first_seen", "desc").limit(limit).execute()).map(parse),
    healed: async (limit) =>
      (await rows().where("healed_at", "is not", null).orderBy("healed_at", "desc").limit(limit).execute()).map(parse),
    unalerted: async (seenUntil) =>
      (
        await rows()
          .where("healed_at", "is", null)
          .where("alerted_at", "is", null)
          .where("first_seen", "<=", seenUntil)
          .orderBy("key")
          .execute()
      ).map(parse),
    async markAlerted(keys, at) {
      await db
        .updateTable("tillkit_guard_findings")
        .set({ alerted_at: at })
        .where("key", "in", [...keys])
        .execute();
    },
    async countHealed() {
      const counted = db.selectFrom("tillkit_guard_findings").select(({ fn }) => fn.countAll<number>().as("count"));
      return Number((await counted.where("healed_at", "is not", null).executeTakeFirstOrThrow()).count);
    },
    async state(name) {
      const marks = db.selectFrom("tillkit_audit_marks").select("value").where("source", "=", GUARD);
      return (await marks.where("name", "=", name).executeTakeFirst())?.value ?? null;
    },
    async changeState(name, from, to) {
      if (from === null) {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto("tillkit_audit_marks")
          .values({ source: GUARD, name, value: to })
          .onConflict((conflict) => conflict.columns(["source", "name"]).doNothing())
          .executeTakeFirst();
        return Number(numInsertedOrUpdatedRows ?? 0) === 1;
      }
      const { numUpdatedRows } = await db
        .updateTable("tillkit_audit_marks")
        .set({ value: to })
        .where("source", "=", GUARD)
        .where("name", "=", name)
        .where("value", "=", from)
        .executeTakeFirst();
      return Number(numUpdatedRows) === 1;
    },
  };
}

function parse(row: FactTables["tillkit_guard_findings"]): WatchedFinding {
  return {
    finding: JSON.parse(row.finding),
    firstSeen: Number(row.first_seen),
    lastSeen: Number(row.last_seen),
    healedAt: row.healed_at === null ? null : Number(row.healed_at),
    alertedAt: row.alerted_at === null ? null : Number(row.alerted_at),
  };
}
