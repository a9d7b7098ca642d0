import { DatabaseError } from "./database-error.ts";

/**
 * One step, as SQL text per engine. The text lives in a template string of a `.ts` file, not in a `.sql` file, because
 * a file beside the code is lost when the package is bundled. Code is never called: it would change under old steps.
 */
export type Migration = {
  readonly name: string;
  readonly sqlite: string;
  /** Left out: these tables live in SQLite only. */
  readonly postgres?: string;
};

/** The ordered steps of one owner of tables; several owners can live in one database. A published step never changes. */
export type MigrationHistory = { readonly owner: string; readonly steps: readonly Migration[] };

/**
 * The steps that are still to be done.
 * @throws DatabaseError `database_newer` when a step was applied that this code does not know
 */
export function pendingSteps(history: MigrationHistory, applied: readonly string[]): readonly Migration[] {
  const unknown = applied.find((name, index) => history.steps[index]?.name !== name);
  if (unknown !== undefined) {
    throw new DatabaseError(
      "database_newer",
      `This database was written by a newer version of ${history.owner} (it has the step "${unknown}"): update the program, or open another database.`,
    );
  }
  return history.steps.slice(applied.length);
}
