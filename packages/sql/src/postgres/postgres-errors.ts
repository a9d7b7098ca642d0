import { DatabaseError } from "../database/database-error.ts";

/** How long a statement waits for a row that another transaction holds: less than the client waits for the answer. */
export const LOCK_TIMEOUT_MS = 4_000;

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const TOO_MANY_CONNECTIONS = "53300";
const READ_ONLY_TRANSACTION = "25006";
const ADMIN_SHUTDOWN = "57P01";
const CRASH_SHUTDOWN = "57P02";
const CANNOT_CONNECT_NOW = "57P03";
/** Answers of a server that stops, or that became a standby: the next connection may reach the new primary. */
const LEAVING_SERVER = [READ_ONLY_TRANSACTION, ADMIN_SHUTDOWN, CRASH_SHUTDOWN, CANNOT_CONNECT_NOW];
// The driver and its pool report these two failures without a code, so their messages are compared.
const QUERY_TIMEOUT = "Query read timeout";
const POOL_EXHAUSTED = "timeout exceeded when trying to connect";

/** Whether the database rolled back a valid transaction, which may succeed when it runs again. */
export function isRetryable(error: unknown): boolean {
  return [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(codeOf(error));
}

/** Whether the statement got no answer in time. The server may still carry it out. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof DatabaseError ? error.code === "database_silent" : messageOf(error) === QUERY_TIMEOUT;
}

/**
 * Whether the connection can be used again after the error: the server answered, and it stays the server that writes. After
 * any other failure, such as a missing answer, the state of the connection is unknown.
 */
export function isUsableAfter(error: unknown): boolean {
  if (LEAVING_SERVER.includes(codeOf(error))) return false;
  return error instanceof DatabaseError || (error instanceof Error && "severity" in error);
}

/** Turns the errors about a locked row and about a missing answer into a `DatabaseError`; other errors stay as they are. */
export function toDatabaseError(error: unknown): unknown {
  if (isUnanswered(error)) {
    return new DatabaseError(
      "database_silent",
      "The PostgreSQL server gave no answer in time, and may still carry out the statement: check the server and its standby.",
      { cause: error },
    );
  }
  if (codeOf(error) !== LOCK_NOT_AVAILABLE) return error;
  return new DatabaseError(
    "database_busy",
    `Another process has locked a row of the database for more than ${LOCK_TIMEOUT_MS / 1000} seconds: try again, or stop that process.`,
    { cause: error },
  );
}

export function toConnectionError(cause: unknown): DatabaseError {
  // Without a cause, because the driver's error holds the whole address with the password.
  if (codeOf(cause) === "ERR_INVALID_URL") {
    return new DatabaseError(
      "database_url_invalid",
      "A PostgreSQL address looks like postgres://user:password@host:5432/database, with characters like @ and / in the password written as %40 and %2F.",
    );
  }
  if (codeOf(cause) === TOO_MANY_CONNECTIONS || messageOf(cause) === POOL_EXHAUSTED) {
    return new DatabaseError(
      "database_busy",
      "All connections to the PostgreSQL database are in use: try again, or allow the server more connections.",
      { cause },
    );
  }
  return new DatabaseError("database_not_opened", `The PostgreSQL database cannot be opened: ${reasonOf(cause)}.`, {
    cause,
  });
}

export function standbyError(): DatabaseError {
  return new DatabaseError(
    "database_not_opened",
    "The PostgreSQL server at this address is a standby, which only reads: use the address of the primary server.",
  );
}

export function ignoredSchemaError(schema: string): DatabaseError {
  return new DatabaseError(
    "database_not_opened",
    `The connection ignores the schema ${schema}, as a pooler such as PgBouncer does: connect to PostgreSQL directly, or set the schema as search_path of the database user and leave the option out.`,
  );
}

export function commitsWaitError(count: number): DatabaseError {
  return new DatabaseError(
    "database_busy",
    `${count} commits wait for a standby of the PostgreSQL server: bring the standby back, or remove it from synchronous_standby_names.`,
  );
}

// When a host name has several addresses, the message is empty and `errors` holds the reasons.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
