import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inSql = inPackage("sql");

/** What a database promises to whoever writes to it. */
export const sql: readonly Mutant[] = [
  inSql({
    id: "sql-answers-before-commit",
    breaks: "A change is reported as kept before the disk has it: a full disk loses payments that everybody believes.",
    file: "sqlite/group-commit.ts",
    find: "    return () => resolve(result);",
    replace: `    resolve(result);
    return () => undefined;`,
    test: "transactions",
    title: "all transactions of a commit fail when the disk is full",
  }),
  inSql({
    id: "sql-power-loss",
    breaks: "What was committed is gone after a power cut: paid orders are forgotten.",
    file: "sqlite/open-sqlite.ts",
    find: "pragma synchronous = full",
    replace: "pragma synchronous = off",
    test: "open-database",
    title: "every commit is on the disk before it resolves, so that it survives a power loss",
  }),
  inSql({
    id: "sql-failed-write-kept",
    breaks: "A change that was refused is half kept, together with its neighbours' changes.",
    file: "sqlite/group-commit.ts",
    find: `    handle.exec("rollback to one_write");
`,
    test: "transactions",
    title: "a transaction that throws on SQLite is rolled back, and its error is rethrown",
  }),
  inSql({
    id: "postgres-failed-write-kept",
    breaks: "On PostgreSQL a change that was refused is kept all the same.",
    file: "postgres/open-postgres.ts",
    find: `const ROLLBACK = sql.raw("rollback");`,
    replace: `const ROLLBACK = sql.raw("commit");`,
    test: "postgres",
    title: "a transaction that throws on PostgreSQL is rolled back, and its error is rethrown",
  }),
  inSql({
    id: "sql-newer-database-opened",
    breaks: "An old program writes into the tables of a newer one, and payments lose what it does not know.",
    file: "database/migrations.ts",
    find: "applied.find((name, index) => history.steps[index]?.name !== name);",
    replace: "applied.find((name, index) => history.steps[index]?.name !== name && index < 0);",
    test: "migrations",
    title: "a database that is newer than the program is rejected with a remedy",
  }),
];
