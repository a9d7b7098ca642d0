import { execFile } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serverOwner, serverPrograms } from "../../../../test/postgres/postgres-programs.ts";

// Serves a temporary PostgreSQL: the server of this machine if one is installed, else (or with TILLKIT_TEST_POSTGRES=pglite)
// PGlite inside this process. This program sends the address to its parent process and ends with the parent.
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "tillkit-postgres-"));
const programs = process.env.TILLKIT_TEST_POSTGRES === "pglite" ? null : serverPrograms();
const stop = programs === null ? await serveInProcess() : await serve(programs);

// Ctrl-C reaches all processes at once. This program ignores it and ends after its parent.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.once("disconnect", async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: `postgres://postgres@localhost/postgres?host=${folder}`, isServer: programs !== null });

/** Loads PGlite, a database compiled to WebAssembly, only where no server is installed. */
async function serveInProcess(): Promise<() => Promise<void>> {
  const { servePglite } = await import("./serve-pglite.ts");
  return await servePglite(join(folder, ".s.PGSQL.5432"));
}

/** Listens on a socket in its own folder, because a port may be in use. Skips fsync unless the test needs durability. */
async function serve(bin: string): Promise<() => Promise<void>> {
  const data = join(folder, "data");
  const owner = await serverOwner();
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  // The owner may not read the folder of this process, for example in the home of root.
  const as = { ...owner, cwd: "/" };
  await run(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], as);
  const serverOptions = `${process.argv.includes("durable") ? "" : "-F "}-k ${folder} -c listen_addresses= -c unix_socket_permissions=0777`;
  const control = (...options: string[]) => run(join(bin, "pg_ctl"), ["-D", data, "-w", ...options], as);
  await control("-l", join(folder, "log"), "-o", serverOptions, "start");
  return async () => {
    await control("-m", "immediate", "stop");
  };
}
