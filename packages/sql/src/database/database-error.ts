/**
 * `database_url_invalid`: the address is not one of ours · `engine_not_supported`: no driver for it, or no tables written for it ·
 * `database_not_opened`: the file cannot be opened or is no database, the server cannot be reached or lets nobody in ·
 * `database_busy`: others held it, or all of its connections, too long ·
 * `database_newer`: written by a newer version of the program · `database_closed`: used after `close()` ·
 * `value_not_storable`: a bound value that the database would silently change.
 */
export type DatabaseErrorCode =
  | "database_url_invalid"
  | "engine_not_supported"
  | "database_not_opened"
  | "database_busy"
  | "database_newer"
  | "database_closed"
  | "value_not_storable";

/** Compare `error.code`, never `instanceof`. `message` is one sentence a person can act on and never holds a password. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DatabaseError";
    this.code = code;
  }
}

export function closedError(): DatabaseError {
  return new DatabaseError("database_closed", "The database was closed: open it again before using it.");
}
