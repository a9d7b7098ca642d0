import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
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
    await run(createdb(), ["-h", folder, "-U", "postgres", name]);
    return url.replace("/postgres?", `/${name}?`);
  }

  return {
    createDatabase,
    close: async () => {
      if (server) await (await server).stop();
    },
  };
}

/** Debian installs the server's programs outside the PATH, in one folder per version. */
function createdb(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : [];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...versions];
  const found = folders.map((folder) => join(folder, "createdb")).find((file) => existsSync(file));
  if (found) return found;
  throw new Error("The machine has a PostgreSQL server but no createdb.");
}
