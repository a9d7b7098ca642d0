import { spawnSync } from "node:child_process";

/** Debian's servers are in a folder that is not in everybody's path. */
export const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/**
 * The reason why the tests with a real WordPress cannot run on this machine, or null. In CI a missing program is an error,
 * because tests that are skipped there prove nothing.
 * @throws Error in CI
 */
export function findSkipReason(): string | null {
  const missing = [
    ...(runs("php", "--version") ? missingModules() : ["php-cli"]),
    ...(runs("unzip", "-v") ? [] : ["unzip"]),
    ...(runs("mariadbd", "--version") ? [] : ["mariadb-server"]),
  ];
  if (missing.length === 0) return null;
  const reason = `install ${missing.join(", ")}`;
  if (process.env.CI) throw new Error(`The tests with a real WordPress need Debian's packages: ${reason}.`);
  return reason;
}

function missingModules(): readonly string[] {
  const modules = spawnSync("php", ["-m"], { encoding: "utf8" }).stdout;
  const packages = { mysqli: "php-mysql", pdo_sqlite: "php-sqlite3" };
  return Object.entries(packages).flatMap(([module, name]) => (modules.includes(module) ? [] : [name]));
}

function runs(program: string, flag: string): boolean {
  return spawnSync(program, [flag], { stdio: "ignore", env: environment }).status === 0;
}
