import type { PostgresPool } from "kysely";
import type { CustomTypesConfig, types as PgTypes, Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { checkStorable } from "../database/storable.ts";
import type { EvictingPool } from "./evicting-pool.ts";
import { isUsableAfter, toConnectionError, toDatabaseError } from "./postgres-errors.ts";

/** Ten per process, so that two servers and three workers use half of the 100 connections that PostgreSQL allows by default. */
export const CONNECTIONS = { usual: 9, urgent: 1 } as const;
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL's number (OID) of the type `bigint`. */
const INT8 = 20;

/** Loads the driver here, so that a program on SQLite never loads it. */
export async function createPool(
  url: string,
  connections: number,
  { schema, readOnly }: { readonly schema?: string | undefined; readonly readOnly?: boolean | undefined } = {},
): Promise<Pool> {
  const { Pool: PgPool, types } = await import("pg");
  const startOptions = [
    ...(schema === undefined ? [] : [`-c search_path=${quoteForOptions(schema)}`]),
    ...(readOnly ? ["-c default_transaction_read_only=on"] : []),
  ];
  const pool = new PgPool({
    connectionString: url,
    application_name: "tillkit",
    ...(startOptions.length === 0 ? {} : { options: startOptions.join(" ") }),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: integersAsNumbers(types),
  });
  // The pool replaces a broken connection, and the next statement reports the failure. Without these listeners a broken
  // connection would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

// Quotes the name, and escapes the characters that separate start options.
function quoteForOptions(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`.replace(/[\\\s]/g, "\\$&");
}

// For this pool only, because the driver's type table is global. All integers of Tillkit's tables are safe integers.
function integersAsNumbers(types: typeof PgTypes): CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 && format !== "binary" ? Number : types.getTypeParser(oid, format as "text"),
  };
}

/**
 * The pool as Kysely uses it: checks bound values, turns failures into `DatabaseError`, and gives up a statement that gets no
 * answer within `timeoutMs`.
 */
export function createKyselyPool(pool: EvictingPool, timeoutMs: number): PostgresPool {
  return {
    connect: async () => {
      try {
        return createKyselyClient(pool, await pool.take(), timeoutMs);
      } catch (cause) {
        throw toConnectionError(cause);
      }
    },
    end: () => pool.end(),
  };
}

type KyselyClient = Awaited<ReturnType<PostgresPool["connect"]>>;
function createKyselyClient(pool: EvictingPool, client: PoolClient, timeoutMs: number): KyselyClient {
  let failure: unknown;
  const query = async (text: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    if (failure !== undefined) throw failure;
    try {
      return await client.query(statement(text, parameters, timeoutMs));
    } catch (error) {
      // The connection may still be busy with this statement, so the pool must discard it.
      if (!isUsableAfter(error)) {
        failure = error;
        pool.evictIdle(client);
      }
      throw toDatabaseError(error);
    }
  };
  return {
    // Kysely's type has a cursor for streaming as well, which this package does not support.
    query: query as unknown as KyselyClient["query"],
    release: () => client.release(failure !== undefined),
  };
}

function statement(text: string, parameters: readonly unknown[], timeoutMs: number): QueryConfig {
  // The driver accepts `query_timeout` per statement. Its types lack it, but they only check literals.
  const limited = { text, values: checkStorable(parameters), query_timeout: timeoutMs };
  return limited;
}
