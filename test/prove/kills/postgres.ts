import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** PostgreSQL databases. Each case gets an empty database. */
export type Databases = { createDatabase(): Promise<string>; close(): Promise<void> };

const PROGRAM = fileURLToPath(new URL("../../../packages/sql/test/programs/serve-postgres.ts", import.meta.url));
const run = promisify(execFile);

/** Uses the machine's PostgreSQL server if it has one, else PGlite. */
export function openDatabases(): Databases {
  let server: Promise<Running> | null = null;
  let created = 0;

  async function createDatabase(): Promise<string> {
    server ??= startPostgres();
    const { url, isServer } = await server;
    created += 1;
    if (!isServer) {
      // PGlite holds a single database, so every further case gets a new PGlite.
      if (created > 1) {
        await stop(await server);
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
      if (server) await stop(await server);
    },
  };
}

type Running = { readonly child: ChildProcess; readonly url: string; readonly isServer: boolean };

async function startPostgres(): Promise<Running> {
  const child = fork(PROGRAM, { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const where = await new Promise<Omit<Running, "child">>((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as Omit<Running, "child">));
    child.once("exit", (code) => reject(new Error(`PostgreSQL did not start (exit ${code}).`)));
  });
  return { child, ...where };
}

async function stop({ child }: Running): Promise<void> {
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
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
