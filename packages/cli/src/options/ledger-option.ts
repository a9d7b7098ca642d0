import { existsSync } from "node:fs";
import process from "node:process";
import type { Ledger } from "@tillkit/ledger";
import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

/** The options of every command that opens a ledger. */
export const ledgerOptions: Readonly<Record<string, Option>> = {
  ledger: {
    value: "url",
    description: "the ledger: sqlite:/path/to/ledger.db or postgres://…; the default is DATABASE_URL",
  },
  schema: {
    value: "name",
    description: "the PostgreSQL schema of the tables; the Medusa plugin uses tillkit",
  },
};

/** Where a ledger is. `schema` is for PostgreSQL only; the default is the connection's schema. */
export type LedgerAddress = {
  readonly url: string;
  readonly schema?: string | undefined;
  /** The database refuses every write, and tables of an older version are refused instead of brought forward. */
  readonly readOnly?: boolean;
};

/** Opens the ledger of the command line or of `DATABASE_URL`, runs `work` and closes the ledger. */
export async function withLedger(args: CommandLine, work: (ledger: Ledger) => Promise<void>): Promise<void> {
  await useLedger(ledgerAddress(args), work);
}

/** The same for a command that only looks: it must not change the tables of a running server of another version. */
export async function readLedger(args: CommandLine, work: (ledger: Ledger) => Promise<void>): Promise<void> {
  await useLedger({ ...ledgerAddress(args), readOnly: true }, work);
}

/** @throws UsageError when neither the command line nor `DATABASE_URL` names a ledger */
function ledgerAddress(args: CommandLine): LedgerAddress {
  const url = ledgerUrl(args);
  if (!url) throw new UsageError("The address of the ledger is missing: --ledger sqlite:/path/to/ledger.db.");
  return { url, schema: args.values.get("schema") };
}

/** Opens the ledger, runs `work` and closes the ledger. */
export async function useLedger<Result>(
  address: LedgerAddress,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const ledger = await openExistingLedger(address);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Undefined when neither the command line nor `DATABASE_URL` names a ledger. */
export function ledgerUrl({ values }: CommandLine): string | undefined {
  return values.get("ledger") ?? (process.env.DATABASE_URL || undefined);
}

/** @throws Error when there is no ledger: opening a mistyped address would create a new, empty one */
export async function openExistingLedger({ url, schema, readOnly }: LedgerAddress): Promise<Ledger> {
  // `sqlite::memory:` has no file.
  const file = /^sqlite:([^:].*)$/.exec(url)?.[1];
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no ledger at ${file}: check the path.`);
  if (/^postgres(ql)?:/.test(url)) await assertTables(url, schema);
  const { openLedger } = await import("@tillkit/ledger");
  // A database in memory is new, so it has no tables that could be read.
  return openLedger(url, { schema, readOnly: readOnly && url !== "sqlite::memory:" });
}

type Catalogue = { "information_schema.tables": { table_schema: string; table_name: string } };

async function assertTables(url: string, requestedSchema: string | undefined): Promise<void> {
  const { openDatabase } = await import("@tillkit/sql");
  const { db, close } = await openDatabase<Catalogue>(url);
  try {
    const tables = db.selectFrom("information_schema.tables").where("table_name", "=", "tillkit_payments");
    const schemas = (await tables.select("table_schema").execute()).map((row) => row.table_schema);
    const currentSchema = db.selectNoFrom(({ fn }) => fn<string>("current_schema").as("name"));
    const schema = requestedSchema ?? (await currentSchema.executeTakeFirst())?.name ?? "public";
    if (schemas.includes(schema)) return;
    const other = schemas[0];
    const advice = other === undefined ? "check the address" : `add --schema ${other}, where there is one`;
    throw new Error(`There is no ledger in the schema ${schema} of this database: ${advice}.`);
  } finally {
    await close();
  }
}
