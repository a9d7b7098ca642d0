import { DatabaseError } from "../database/database-error.ts";

/** How long a statement waits for a row that another transaction holds. */
export const LOCK_TIMEOUT_MS = 5_000;

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const TOO_MANY_CONNECTIONS = "53300";
// The pool reports this without a code.
const POOL_EXHAUSTED = "timeout exceeded when trying to connect";

/** Whether the database rolled back a valid transaction, which may succeed when it runs again. */
export function isRetryable(error: unknown): boolean {
  return [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(codeOf(error));
}

/** Whether the server reported the error. Any other failure leaves the connection in an unknown state. */
export function isServerError(error: unknown): boolean {
  return error instanceof DatabaseError || (error instanceof Error && "severity" in error);
}

/** Turns the error about a row that stays locked into `database_busy`; other errors are returned as they are. */
export function toBusyError(error: unknown): unknown {
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
  if (codeOf(cause) === TOO_MANY_CONNECTIONS || (cause instanceof Error && cause.message === POOL_EXHAUSTED)) {
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

// When a host name has several addresses, the message is empty and `errors` holds the reasons.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
