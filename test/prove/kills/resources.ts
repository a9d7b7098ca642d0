import { bundleProgram } from "../bundle.ts";
import { openDatabases } from "./postgres.ts";
import { type Crew, createCrew } from "./till-process.ts";

/** What cases share that run one after another. */
export type Resources = {
  readonly crew: Crew;
  /** The address of an empty database; null: SQLite, a file of the case's own. */
  database(engine: EngineName): Promise<string | null>;
};

export type OpenResources = Resources & { close(): Promise<void> };

export type EngineName = "sqlite" | "postgres";

/** `waiting`: how many processes stand by to take a dead one's place. */
export async function openResources(waiting: number): Promise<OpenResources> {
  const databases = openDatabases();
  const program = await bundleProgram(new URL("child/till.ts", import.meta.url));
  const crew = createCrew(program.file, waiting);
  return {
    crew,
    database: async (engine) => (engine === "postgres" ? await databases.fresh() : null),
    async close() {
      await crew.close();
      await Promise.allSettled([databases.close(), program.remove()]);
    },
  };
}
