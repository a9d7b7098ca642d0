import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { startMariaDb } from "./mariadb.ts";
import { findSkipReason } from "./programs.ts";

declare module "vitest" {
  interface ProvidedContext {
    wordpress: WordPressContext;
  }
}

export type WordPressContext =
  | { readonly skipReason: string }
  | {
      readonly skipReason: null;
      /** The folder of the npm package with the releases of WordPress. */
      readonly builds: string;
      /** The folder that holds an npm package for each version of PHP. */
      readonly phpPackages: string;
      readonly databaseSocket: string;
    };

/** WordPress 6.2 to 6.5, the newest on npm, and versions of PHP that Node can run: about 290 MB to download. */
const packages = [
  "@wp-playground/wordpress-builds@0.9.19",
  ...["7-4", "8-1", "8-3", "8-4"].map((version) => `@php-wasm/node-${version}@3.1.56`),
];
const folder = fileURLToPath(new URL("../../../../../.tillkit/wordpress", import.meta.url));
const stamp = join(folder, "installed");

/** Installs WordPress's releases once, and starts the database that all sites share. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const skipReason = findSkipReason();
  if (skipReason !== null) {
    project.provide("wordpress", { skipReason });
    return async () => {};
  }
  const modules = join(folder, "node_modules");
  if ((await readFile(stamp, "utf8").catch(() => "")) !== packages.join("\n")) {
    console.log("Installing WordPress and versions of PHP (only the first time: about 290 MB) …");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), '{"private":true}\n');
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await promisify(execFile)("npm", ["install", "--no-save", ...options, ...packages], { cwd: folder });
    await writeFile(stamp, packages.join("\n"));
  }
  const database = await startMariaDb();
  project.provide("wordpress", {
    skipReason: null,
    builds: join(modules, "@wp-playground", "wordpress-builds"),
    phpPackages: join(modules, "@php-wasm"),
    databaseSocket: database.socket,
  });
  return database.stop;
}
