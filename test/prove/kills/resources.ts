import { bundleProgram } from "../../programs/bundle-program.ts";
import { openDatabases } from "./postgres.ts";
import { createProcessPool, type ProcessPool } from "./server-process.ts";

/** The resources that consecutive cases share. */
export type Resources = {
  readonly processes: ProcessPool;
  /** Returns the URL of an empty database, or null for a SQLite file of the case's own. */
  createDatabase(database: DatabaseName): Promise<string | null>;
};

export type OpenResources = Resources & { close(): Promise<void> };

export type DatabaseName = "sqlite" | "postgres";

/** @param standbyCount the number of standby processes that replace dead processes */
export async function openResources(standbyCount: number): Promise<OpenResources> {
  const databases = openDatabases();
  const program = await bundleProgram(new URL("child/server.ts", import.meta.url));
  const processes = createProcessPool(program.file, standbyCount);
  return {
    processes,
    createDatabase: async (database) => (database === "postgres" ? await databases.createDatabase() : null),
    async close() {
      await processes.close();
      await Promise.allSettled([databases.close(), program.remove()]);
    },
  };
}
