import { type Database, openDatabase } from "@tillkit/sql";
import type { BalanceFact, MovementFact, OrderFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import { factHistory } from "./migrations.ts";

export type StoredKind = "order" | MovementFact["kind"] | "balance";
export type StoredFact = OrderFact | MovementFact | BalanceFact;

/** What one source has read. A source that was interrupted goes on from its marks, and a later audit reads only what is new. */
export type SourceStore = {
  /** A fact of the same id replaces the one before. */
  save(facts: readonly NewFact[]): Promise<void>;
  remove(kind: StoredKind, ids: readonly string[]): Promise<void>;
  mark(name: string): Promise<string | null>;
  setMark(name: string, value: string): Promise<void>;
  /** What this source stored before. */
  facts<Fact extends StoredFact>(kind: StoredKind): AsyncGenerator<Fact>;
};

export type NewFact = {
  readonly kind: StoredKind;
  readonly id: string;
  readonly at: number;
  readonly fact: StoredFact;
};

export type FactStore = {
  source(name: string): SourceStore;
  /** All facts of a kind, and of a source where it is named. */
  facts<Fact extends StoredFact>(kind: StoredKind, source?: string): AsyncGenerator<Fact>;
  close(): Promise<void>;
};

export type FactTables = {
  tillkit_audit_facts: { source: string; kind: string; id: string; at: number; fact: string };
  tillkit_audit_marks: { source: string; name: string; value: string };
  tillkit_guard_findings: {
    key: string;
    finding: string;
    first_seen: number;
    last_seen: number;
    healed_at: number | null;
    alerted_at: number | null;
  };
};

/** @param url `sqlite:/path/to/file.db`, `sqlite::memory:` or `postgres://…` */
export async function openFactStore(url: string): Promise<FactStore> {
  return factStoreOf(await openFactDatabase(url));
}

export async function openFactDatabase(url: string): Promise<Database<FactTables>> {
  const database = await openDatabase<FactTables>(url);
  await database.migrate(factHistory);
  return database;
}

export function factStoreOf(database: Database<FactTables>): FactStore {
  return {
    source: (name) => sourceStore(database, name),
    facts: (kind, source) => readFacts(database, kind, source),
    close: () => database.close(),
  };
}

function sourceStore(database: Database<FactTables>, source: string): SourceStore {
  return {
    facts: (kind) => readFacts(database, kind, source),
    async save(facts) {
      for (let start = 0; start < facts.length; start += auditLimits.factsPerWrite) {
        const part = facts.slice(start, start + auditLimits.factsPerWrite);
        // The last one counts: one statement cannot write a row twice.
        const rows = [...new Map(part.map((fact) => [`${fact.kind} ${fact.id}`, fact])).values()];
        await database.transaction(async (session) => {
          await session
            .insertInto("tillkit_audit_facts")
            .values(rows.map(({ kind, id, at, fact }) => ({ source, kind, id, at, fact: JSON.stringify(fact) })))
            .onConflict((conflict) =>
              conflict
                .columns(["source", "kind", "id"])
                .doUpdateSet(({ ref }) => ({ at: ref("excluded.at"), fact: ref("excluded.fact") })),
            )
            .execute();
        });
      }
    },
    async remove(kind, ids) {
      if (ids.length === 0) return;
      const rows = database.db.deleteFrom("tillkit_audit_facts").where("source", "=", source).where("kind", "=", kind);
      await rows.where("id", "in", [...ids]).execute();
    },
    async mark(name) {
      const marks = database.db.selectFrom("tillkit_audit_marks").select("value").where("source", "=", source);
      return (await marks.where("name", "=", name).executeTakeFirst())?.value ?? null;
    },
    async setMark(name, value) {
      await database.db
        .insertInto("tillkit_audit_marks")
        .values({ source, name, value })
        .onConflict((conflict) => conflict.columns(["source", "name"]).doUpdateSet({ value }))
        .execute();
    },
  };
}

async function* readFacts<Fact>(
  { db }: Database<FactTables>,
  kind: StoredKind,
  onlySource: string | undefined,
): AsyncGenerator<Fact> {
  const sources = await db.selectFrom("tillkit_audit_facts").select("source").distinct().execute();
  for (const { source } of sources) {
    if (onlySource !== undefined && source !== onlySource) continue;
    for (let after = ""; ; ) {
      const rows = await db
        .selectFrom("tillkit_audit_facts")
        .select(["id", "fact"])
        .where("source", "=", source)
        .where("kind", "=", kind)
        .where("id", ">", after)
        .orderBy("id")
        .limit(auditLimits.factsPerRead)
        .execute();
      for (const { fact } of rows) yield JSON.parse(fact) as Fact;
      const last = rows.at(-1);
      if (last === undefined || rows.length < auditLimits.factsPerRead) break;
      after = last.id;
    }
  }
}
