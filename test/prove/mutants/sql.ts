import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inSql = inPackage("sql");

/** Faults of the database layer that its tests notice. */
export const sql: readonly Mutant[] = [
  inSql({
    id: "sql-answers-before-commit",
    breaks: "A change is reported as committed before it is on the disk, so a full disk loses recorded payments.",
    file: "sqlite/group-commit.ts",
    find: "    return () => resolve(result);",
    replace: `    resolve(result);
    return () => undefined;`,
    test: "transactions",
    title: "all transactions of a commit fail when the disk is full",
  }),
  inSql({
    id: "sql-power-loss",
    breaks: "Committed payments are lost after a power cut.",
    file: "sqlite/open-sqlite.ts",
    find: "pragma synchronous = full",
    replace: "pragma synchronous = off",
    test: "open-database",
    title: "every commit is on the disk before it resolves, so that it survives a power loss",
  }),
  inSql({
    id: "sql-flush-skipped",
    breaks: "A payment is reported as recorded while the disk may still lose it in a power cut.",
    file: "sqlite/group-commit.ts",
    find: "      if (wal) await wal.flush();",
    replace: "      void wal?.flush();",
    test: "wal-flush",
    title: "a transaction on a file resolves after the disk was flushed, and not before",
  }),
  inSql({
    id: "sql-failed-flush-forgotten",
    breaks: "After the disk lost a commit, later commits are reported as stored.",
    file: "sqlite/group-commit.ts",
    find: `      wal?.assertWorks();
`,
    test: "wal-flush",
    title: "every transaction of a commit that cannot be flushed fails, and no later transaction is accepted",
  }),
  inSql({
    id: "sql-failed-write-kept",
    breaks: "A part of a failed transaction is committed together with other transactions.",
    file: "sqlite/group-commit.ts",
    find: `    handle.exec("rollback to one_write");
`,
    test: "transactions",
    title: "a transaction that throws on SQLite is rolled back, and its error is rethrown",
  }),
  inSql({
    id: "postgres-failed-write-kept",
    breaks: "On PostgreSQL, a failed transaction is committed.",
    file: "postgres/open-postgres.ts",
    find: `const ROLLBACK = sql.raw("rollback");`,
    replace: `const ROLLBACK = sql.raw("commit");`,
    test: "postgres",
    title: "a transaction that throws on PostgreSQL is rolled back, and its error is rethrown",
  }),
  inSql({
    id: "sql-newer-database-opened",
    breaks: "An old program writes to the tables of a newer one, and payments lose the columns that it does not know.",
    file: "database/migrations.ts",
    find: "if (!follows) throw",
    replace: "if (!follows && applied.length === 0) throw",
    test: "migrations",
    title: "a database that is newer than the program is rejected with a remedy",
  }),
  inSql({
    id: "sql-middle-of-older-history-upgraded",
    breaks: "The tables of a version that is too old are brought forward half, and payments lose columns.",
    file: "database/migrations.ts",
    find: "from.join() === applied.join()",
    replace: "applied.length > 0 && from.join().startsWith(applied.join())",
    test: "migrations",
    title: "a database in the middle of a replaced history is rejected with a remedy, and stays as it is",
  }),
  inSql({
    id: "sql-waits-on-the-thread",
    breaks: "While another process is frozen inside its transaction, no webhook, page or timer is answered.",
    file: "sqlite/open-sqlite.ts",
    find: "pragma busy_timeout = 0",
    replace: "pragma busy_timeout = 5000",
    test: "frozen-process",
    title:
      "the event loop keeps turning while a transaction waits for a frozen process, and the wait ends with database_busy",
  }),
  inSql({
    id: "sql-busy-refused-at-once",
    breaks: "Two processes that write at the same moment: one of the payments is not recorded.",
    file: "sqlite/group-commit.ts",
    find: "    if (!hasBegun && isBusy(error)) return { cause: error };\n",
    test: "frozen-process",
    title: "a transaction that waits is done as soon as the other process goes on or is killed",
  }),
  {
    id: "sql-reads-wait-for-writes",
    breaks: "While one change waits for a frozen process, no page of a shopper is shown.",
    edits: [
      {
        file: "packages/sql/src/sqlite/group-commit.ts",
        find: `    handle.exec("begin immediate");`,
        replace: `    await retryWhileBusy(() => handle.exec("begin immediate"));`,
      },
      {
        file: "packages/sql/src/sqlite/group-commit.ts",
        find: "isBusy, isOver, waitForAttempt }",
        replace: "isBusy, isOver, retryWhileBusy, waitForAttempt }",
      },
    ],
    noticedBy: {
      file: "packages/sql/test/frozen-process.test.ts",
      title: "reads are answered while a transaction waits for a frozen process",
    },
  },
  inSql({
    id: "postgres-ended-connection-kept",
    breaks: "A connection that PostgreSQL has closed is used for the next payment, which is then not recorded.",
    file: "postgres/postgres-errors.ts",
    find: "  if (isLost(error)) return false;\n",
    test: "postgres-errors",
    title: "a server that leaves with 57P01 is a database_lost, and its connection is not used again",
  }),
];
