// SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY.
const SQLITE_CODES: readonly unknown[] = [2067, 1555];

/** Whether a statement failed because a unique rule was broken, rather than for any other reason. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && SQLITE_CODES.includes(error.errcode);
}
