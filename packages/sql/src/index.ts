export { DatabaseError, type DatabaseErrorCode } from "./database-error.ts";
export type { Migration, MigrationHistory } from "./migrations.ts";
export { type Database, type DatabaseOptions, openDatabase } from "./open-database.ts";
export { isUniqueViolation } from "./unique-violation.ts";
