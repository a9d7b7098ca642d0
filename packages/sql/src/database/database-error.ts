/**
 * - `database_url_invalid`: the address is malformed
 * - `engine_not_supported`: there is no driver for the engine, or no migration creates the tables in it
 * - `database_not_opened`: the file cannot be opened or is no database; the server cannot be reached or refuses the login
 * - `database_busy`: another process held a lock, or all connections, for too long, or the server gave up a statement
 * - `database_silent`: the server gave no answer in time, and may still carry out the statement
 * - `database_lost`: the connection was lost, or the server stops or became a standby; what was sent may still be carried out
 * - `database_not_durable`: the disk did not confirm a commit; no further change is accepted until the program starts again
 * - `database_newer`: a newer version of the program wrote the tables
 * - `database_older`: an older version wrote them than this program can bring forward
 * - `database_closed`: used after `close()`
 * - `database_read_only`: a write to a database that was opened for reading only
 * - `value_not_storable`: the driver would silently convert a bound value
 */
export type DatabaseErrorCode =
  | "database_url_invalid"
  | "engine_not_supported"
  | "database_not_opened"
  | "database_busy"
  | "database_silent"
  | "database_lost"
  | "database_not_durable"
  | "database_newer"
  | "database_older"
  | "database_closed"
  | "database_read_only"
  | "value_not_storable";

/** Compare `error.code`, never `instanceof`. `message` is one sentence that names a remedy. It never holds a password. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DatabaseError";
    this.code = code;
  }
}

export function readOnlyError(): DatabaseError {
  return new DatabaseError("database_read_only", "The database was opened for reading only: open it for writing.");
}

export function closedError(): DatabaseError {
  return new DatabaseError("database_closed", "The database was closed: open it again before using it.");
}
