import { existsSync } from "node:fs";
import process from "node:process";
import type { Ledger } from "@tillkit/core";
import type { CommandLine, Option } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** The options of every command that works on a ledger. */
export const ledgerOptions: Readonly<Record<string, Option>> = {
  ledger: {
    value: "url",
    says: "where payments are kept: sqlite:/path/to/ledger.db or postgres://…; else DATABASE_URL",
  },
  database: { value: "url", says: "the same as --ledger" },
  schema: {
    value: "name",
    says: "the schema of these tables in PostgreSQL; those of the Medusa plugin stand in tillkit",
  },
};

/** Opens the ledger that the command line or `DATABASE_URL` names, and closes it however `work` ends. */
export async function withLedger(line: CommandLine, work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const url = readUrl(line);
  const { openLedger } = await import("@tillkit/ledger");
  const ledger = await openLedger(url, { schema: line.values.get("schema") });
  try {
    await work(ledger);
  } finally {
    await ledger.close();
  }
}

// Opening would make a new, empty ledger where a path is mistyped.
function readUrl({ values }: CommandLine): string {
  const url = values.get("ledger") ?? values.get("database") ?? process.env.DATABASE_URL;
  if (!url) throw new UsageError("Say where payments are kept: --ledger sqlite:/path/to/ledger.db.");
  const file = /^sqlite:([^:].*)$/.exec(url)?.[1];
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no ledger at ${file}: check the path.`);
  return url;
}
