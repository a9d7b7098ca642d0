import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { serverPrograms } from "../../postgres/postgres-programs.ts";
import { type Postgres, startPostgres } from "../../postgres/start-postgres.ts";

/** PostgreSQL databases. Each case gets an empty database. */
export type Databases = { createDatabase(): Promise<string>; close(): Promise<void> };

const run = promisify(execFile);

/** Uses the machine's PostgreSQL server if it has one, else PGlite. */
export function openDatabases(): Databases {
  let server: Promise<Postgres> | null = null;
  let created = 0;

  async function createDatabase(): Promise<string> {
    server ??= startPostgres();
    const { url, isServer } = await server;
    created += 1;
    if (!isServer) {
      // PGlite holds a single database, so every further case gets a new PGlite.
      if (created > 1) {
        await (await server).stop();
        server = startPostgres();
      }
      return (await server).url;
    }
    const name = `case_${created}`;
    const folder = new URL(url).searchParams.get("host") ?? "";
    await run(join(serverPrograms() ?? "", "createdb"), ["-h", folder, "-U", "postgres", name]);
    return url.replace("/postgres?", `/${name}?`);
  }

  return {
    createDatabase,
    close: async () => {
      if (server) await (await server).stop();
    },
  };
}
