import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { servePglite } from "./serve-pglite.ts";

// A PostgreSQL that is thrown away: the server of this machine where there is one, else (or with
// TILLKIT_TEST_POSTGRES=pglite) one inside this process. It says where it is, and ends when its parent has left.
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "tillkit-postgres-"));
const programs = process.env.TILLKIT_TEST_POSTGRES === "pglite" ? null : serverPrograms();
const stop = programs === null ? await servePglite(join(folder, ".s.PGSQL.5432")) : await serve(programs);

// A keyboard's Ctrl-C reaches everybody at once; this program leaves after its parent.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.once("disconnect", async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: `postgres://postgres@localhost/postgres?host=${folder}`, isServer: programs !== null });

/** Debian keeps them out of the way of the PATH, by version. */
function serverPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((left, right) => Number(right) - Number(left)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.find((one) => existsSync(join(one, "initdb"))) ?? null;
}

/** Only on a socket in its own folder, so that no port can be taken; without waiting for a disk that nobody reads again. */
async function serve(bin: string): Promise<() => Promise<void>> {
  const data = join(folder, "data");
  // PostgreSQL refuses to run as root: then it runs as the user that came with it.
  const owner = process.getuid?.() === 0 ? await userCalled("postgres") : null;
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  await run(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...owner,
  });
  const options = `${process.argv.includes("durable") ? "" : "-F "}-k ${folder} -c listen_addresses= -c unix_socket_permissions=0777`;
  const control = (...what: string[]) => run(join(bin, "pg_ctl"), ["-D", data, "-w", ...what], { ...owner });
  await control("-l", join(folder, "log"), "-o", options, "start");
  return async () => {
    await control("-m", "immediate", "stop");
  };
}

async function userCalled(name: string): Promise<{ uid: number; gid: number }> {
  const number = async (flag: string) => Number((await run("id", [flag, name])).stdout);
  return { uid: await number("-u"), gid: await number("-g") };
}
