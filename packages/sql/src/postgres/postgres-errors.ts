import { DatabaseError } from "../database/database-error.ts";

/** How long a statement waits for a row that another transaction holds: less than the client waits for the answer. */
export const LOCK_TIMEOUT_MS = 4_000;

/** The database rolled back a valid transaction. */
const ROLLED_BACK = ["40001", "40P01"];
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";
/** The first two characters of all codes of a class: broken connections, and a server that lacks memory, disk or connections. */
const CONNECTION_CLASS = "08";
const RESOURCES_CLASS = "53";
const TOO_MANY_CONNECTIONS = "53300";
/**
 * Answers of a server that stops (57P0…), that became a standby (25006), or that ends a session which was idle for too long (57P05,
 * 25P03, 25P04): the next connection may reach the new primary.
 */
const LEAVING_SERVER = ["57P01", "57P02", "57P03", "57P05", "25006", "25P03", "25P04"];
/** After one of these severities the server closes the connection. */
const CLOSING_SEVERITIES = ["FATAL", "PANIC"];
// The driver and its pool report these two failures without a code, so their messages are compared.
const QUERY_TIMEOUT = "Query read timeout";
const POOL_EXHAUSTED = "timeout exceeded when trying to connect";
/** The driver's words about a lost connection, which it reports without a code. */
const LOST_CONNECTION = /^(Connection terminated|Client (has encountered a connection error|was closed))/;
/** Codes of the operating system, such as ECONNRESET. */
const SYSTEM_CODE = /^E[A-Z_]+$/;

/** Whether the database rolled back a valid transaction, which may succeed when it runs again. */
export function isRetryable(error: unknown): boolean {
  const reported = error instanceof DatabaseError ? error.cause : error;
  return ROLLED_BACK.includes(codeOf(reported));
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
  if (isLost(error)) return false;
  if (error instanceof DatabaseError) return true;
  return error instanceof Error && "severity" in error && !CLOSING_SEVERITIES.includes(String(error.severity));
}

/** Whether the connection is lost, or leads to a server that takes no further statement. */
function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code.startsWith(CONNECTION_CLASS) || LEAVING_SERVER.includes(code)) return true;
  return !(error instanceof DatabaseError) && (SYSTEM_CODE.test(code) || LOST_CONNECTION.test(messageOf(error)));
}

/** Turns every error that says that the database cannot answer now into a `DatabaseError`; errors about the statement stay as they are. */
export function toDatabaseError(error: unknown): unknown {
  if (isUnanswered(error)) {
    return new DatabaseError(
      "database_silent",
      "The PostgreSQL server gave no answer in time, and may still carry out the statement: check the server and its standby.",
      { cause: error },
    );
  }
  if (isLost(error)) {
    return new DatabaseError(
      "database_lost",
      `The connection to the PostgreSQL server was lost (${reasonOf(error)}), and what was sent may still be carried out: check the server.`,
      { cause: error },
    );
  }
  const reason = busyReason(codeOf(error));
  return reason === null ? error : new DatabaseError("database_busy", reason, { cause: error });
}

/** Null: the error says something else than that the server gave up a valid statement. */
function busyReason(code: string): string | null {
  if (code === LOCK_NOT_AVAILABLE) {
    return `Another process has locked a row of the database for more than ${LOCK_TIMEOUT_MS / 1000} seconds: try again, or stop that process.`;
  }
  if (ROLLED_BACK.includes(code)) return "Other transactions changed the same rows at the same time: try again.";
  if (code === QUERY_CANCELED) {
    return "The PostgreSQL server cancelled a statement, as its statement_timeout or a person asked: try again, or allow more time.";
  }
  if (!code.startsWith(RESOURCES_CLASS)) return null;
  return `The PostgreSQL server lacks memory, disk space or connections (${code}): give it more, then try again.`;
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

export function ignoredReadOnlyError(): DatabaseError {
  return new DatabaseError(
    "database_not_opened",
    "The connection can write although it was opened for reading only, as a pooler such as PgBouncer ignores it: connect to PostgreSQL directly, or as a user who may only read.",
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
