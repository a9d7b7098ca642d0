export type { Database, DatabaseCondition } from "./database/database.ts";
export { DatabaseError, type DatabaseErrorCode } from "./database/database-error.ts";
export type { Migration, MigrationHistory, Upgrade } from "./database/migrations.ts";
export { isUniqueViolation } from "./database/unique-violation.ts";
export { type DatabaseOptions, openDatabase } from "./open-database.ts";
