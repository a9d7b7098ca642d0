import { existsSync } from "node:fs";
import process from "node:process";
import type { Ledger } from "@tillkit/core";
import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

/** The options of every command that opens a ledger. */
export const ledgerOptions: Readonly<Record<string, Option>> = {
  ledger: {
    value: "url",
    description: "the ledger: sqlite:/path/to/ledger.db or postgres://…; the default is DATABASE_URL",
  },
  database: { value: "url", description: "the same as --ledger" },
  schema: {
    value: "name",
    description: "the PostgreSQL schema of the tables; the Medusa plugin uses tillkit",
  },
};

/** Opens the ledger of the command line or of `DATABASE_URL`, runs `work` and closes the ledger. */
export async function withLedger(args: CommandLine, work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const url = resolveLedgerUrl(args);
  const { openLedger } = await import("@tillkit/ledger");
  const ledger = await openLedger(url, { schema: args.values.get("schema") });
  try {
    await work(ledger);
  } finally {
    await ledger.close();
  }
}

// Requires an existing SQLite file: opening a mistyped path would create a new, empty ledger.
function resolveLedgerUrl({ values }: CommandLine): string {
  const url = values.get("ledger") ?? values.get("database") ?? process.env.DATABASE_URL;
  if (!url) throw new UsageError("The address of the ledger is missing: --ledger sqlite:/path/to/ledger.db.");
  const file = /^sqlite:([^:].*)$/.exec(url)?.[1];
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no ledger at ${file}: check the path.`);
  return url;
}
