import { bundleProgram } from "./bundle.ts";
import { openDatabases } from "./postgres.ts";
import { type Crew, createCrew } from "./till-process.ts";

/** What the cases of one slice share. */
export type Resources = {
  readonly crew: Crew;
  /** The address of an empty database; null: SQLite, a file of the case's own. */
  database(engine: EngineName): Promise<string | null>;
};

export type EngineName = "sqlite" | "postgres";

/** `waiting`: how many processes stand by to take a dead one's place. */
export async function withResources<Answer>(
  waiting: number,
  work: (resources: Resources) => Promise<Answer>,
): Promise<Answer> {
  const databases = openDatabases();
  const program = await bundleProgram();
  const crew = createCrew(program.file, waiting);
  try {
    return await work({ crew, database: async (engine) => (engine === "postgres" ? await databases.fresh() : null) });
  } finally {
    await crew.close();
    await Promise.allSettled([databases.close(), program.remove()]);
  }
}
