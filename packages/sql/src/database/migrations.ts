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
export type MigrationHistory = {
  readonly owner: string;
  readonly steps: readonly Migration[];
  /** Ways from histories that the first step has replaced. */
  readonly upgrades?: readonly Upgrade[];
};

/**
 * Makes the tables of the first step out of those of a history that exists no more, whose migrations have exactly the names `from`. The
 * database then counts as one that the first step has made.
 */
export type Upgrade = Omit<Migration, "name"> & { readonly from: readonly string[] };

/** What a database needs next. Its owner's recorded migrations from `position` on are replaced by `name`. */
export type PendingStep = Migration & { readonly position: number };

/**
 * The next migration that is not applied yet; null when there is none.
 * @throws DatabaseError `database_newer` when an applied migration is unknown to this program; `database_older` when the database is in
 * the middle of a history that the first step has replaced
 */
export function nextStep(history: MigrationHistory, applied: readonly string[]): PendingStep | null {
  const { steps, upgrades = [] } = history;
  const [first] = steps;
  const upgrade = upgrades.find(({ from }) => from.join() === applied.join());
  if (upgrade && first) return { ...upgrade, name: first.name, position: 0 };
  const follows = applied.every((name, index) => steps[index]?.name === name);
  if (!follows) throw otherVersionError(history, applied);
  const next = steps[applied.length];
  return next === undefined ? null : { ...next, position: applied.length };
}

/** What a reader meets that brings nothing forward. */
export function pendingError({ owner }: MigrationHistory): DatabaseError {
  return new DatabaseError(
    "database_older",
    `This database has no tables of ${owner}, or older ones than this program reads: start the server of this version once, which brings them forward.`,
  );
}

function otherVersionError({ owner, steps, upgrades = [] }: MigrationHistory, applied: readonly string[]) {
  const known = new Set([...steps.map(({ name }) => name), ...upgrades.flatMap(({ from }) => from)]);
  const unknown = applied.find((name) => !known.has(name));
  if (unknown !== undefined) {
    return new DatabaseError(
      "database_newer",
      `This database was written by a newer version of ${owner} (it has the migration "${unknown}"): update the program, or open another database.`,
    );
  }
  const starts = upgrades.map(({ from }) => `"${from.at(-1)}"`).join(" or ");
  return new DatabaseError(
    "database_older",
    `This database was written by an older version of ${owner} (its last migration is "${applied.at(-1)}", and this program starts from ${starts}): open it once with a version in between, or open another database.`,
  );
}
