import { DatabaseError } from "./database-error.ts";

/**
 * One migration, as SQL text per engine. The text is in a `.ts` file, because bundling the package would lose a `.sql` file.
 * A migration never calls code, because the code may change after the migration was published.
 */
export type Migration = {
  readonly name: string;
  readonly sqlite: string;
  /** Omitted by tables that exist in SQLite only. */
  readonly postgres?: string;
};

/** The ordered migrations of one owner of tables. Several owners can share a database. A published migration never changes. */
export type MigrationHistory = { readonly owner: string; readonly steps: readonly Migration[] };

/**
 * The migrations that are not applied yet.
 * @throws DatabaseError `database_newer` when an applied migration is unknown to this program
 */
export function pendingSteps(history: MigrationHistory, applied: readonly string[]): readonly Migration[] {
  const unknown = applied.find((name, index) => history.steps[index]?.name !== name);
  if (unknown !== undefined) {
    throw new DatabaseError(
      "database_newer",
      `This database was written by a newer version of ${history.owner} (it has the migration "${unknown}"): update the program, or open another database.`,
    );
  }
  return history.steps.slice(applied.length);
}
