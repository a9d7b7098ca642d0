import type { PostgresPool } from "kysely";
import type { CustomTypesConfig, types as PgTypes, Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { checkStorable } from "../database/storable.ts";
import { isServerError, toBusyError, toConnectionError } from "./postgres-errors.ts";

/** With the one for what is urgent ten: two servers and three workers share the hundred that a PostgreSQL allows by default. */
export const CONNECTIONS = { usual: 9, urgent: 1 } as const;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const INT8 = 20;

/** The driver is loaded here and not before, so that a shop on SQLite never pays for it. */
export async function createPool(url: string, connections: number, schema?: string): Promise<Pool> {
  const { Pool: PoolOfDriver, types } = await import("pg");
  const pool = new PoolOfDriver({
    connectionString: url,
    application_name: "tillkit",
    ...(schema === undefined ? {} : { options: `-c search_path=${nameInOptions(schema)}` }),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: integersAsNumbers(types),
  });
  // A connection that breaks, idle or between two statements, is replaced: the statement after it says what happened.
  // Without listeners it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

// A quoted name, and a backslash before what would end one word of the start options.
function nameInOptions(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`.replace(/[\\\s]/g, "\\$&");
}

// For this pool alone: the driver's own table belongs to the whole program. All our integers are safe ones.
function integersAsNumbers(types: typeof PgTypes): CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 && format !== "binary" ? Number : types.getTypeParser(oid, format as "text"),
  };
}

/** Kysely's view of the pool: values are looked at before they are bound, and failures become sentences. */
export function createKyselyPool(pool: Pool): PostgresPool {
  return {
    connect: async () => {
      try {
        return guardClient(await pool.connect());
      } catch (cause) {
        throw toConnectionError(cause);
      }
    },
    end: () => pool.end(),
  };
}

type GuardedClient = Awaited<ReturnType<PostgresPool["connect"]>>;

function guardClient(client: PoolClient): GuardedClient {
  let lost: unknown;
  const query = async (text: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    if (lost !== undefined) throw lost;
    try {
      return await client.query(statement(text, parameters));
    } catch (error) {
      // Nobody knows what such a connection still waits for: it is thrown away, not given to the next one.
      if (!isServerError(error)) lost = error;
      throw toBusyError(error);
    }
  };
  return {
    // Kysely's type also has a cursor to read row by row, which nobody here uses.
    query: query as unknown as GuardedClient["query"],
    release: () => client.release(lost !== undefined),
  };
}

function statement(text: string, parameters: readonly unknown[]): QueryConfig {
  // The driver knows `query_timeout` of a single statement, its types do not: they only check literals.
  const limited = { text, values: checkStorable(parameters), query_timeout: STATEMENT_TIMEOUT_MS };
  return limited;
}
