import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder with the programs of a PostgreSQL server. Debian keeps them outside of PATH, one folder per version. */
export function serverPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((left, right) => Number(right) - Number(left)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** The user who runs the server. PostgreSQL refuses to run as root, so root starts it as the user postgres. Null: the current user. */
export async function serverOwner(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const readId = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  return { uid: await readId("-u"), gid: await readId("-g") };
}
