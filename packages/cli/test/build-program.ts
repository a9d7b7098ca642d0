import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

const cli = fileURLToPath(new URL("..", import.meta.url));
const built = inject("program");
// The tools of the build are dependencies of the repository, not of this package.
const repository = createRequire(new URL("../../../package.json", import.meta.url));

export const programFile = join(built, "tillkit.js");

/**
 * Builds the program as it is published, which starts several times as fast as its sources. Call it before all tests of a file:
 * the first file builds the program, and the others wait for it.
 */
export async function buildProgram(): Promise<void> {
  const lock = `${built}.lock`;
  while (!existsSync(built)) {
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (isFirst) await buildAll().finally(() => rm(lock, { recursive: true }));
    else await wait(50);
  }
}

// The folder has its final name only once it is whole, because other test files start the program as soon as the folder is there.
async function buildAll(): Promise<void> {
  if (existsSync(built)) return;
  const unfinished = `${built}.part`;
  await Promise.all([
    buildInto(unfinished),
    installPlatform(unfinished, "shopify"),
    installPlatform(unfinished, "prestashop"),
    installPlatform(unfinished, "woocommerce"),
  ]);
  await rename(unfinished, built);
}

async function buildInto(folder: string): Promise<void> {
  const args = [
    repository.resolve("tsup/dist/cli-default.js"),
    "--config",
    "../../tsup.config.ts",
    "--out-dir",
    folder,
  ];
  const build = spawn(process.execPath, [...args, "--silent"], { cwd: cli, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(build, "close");
  if (code !== 0) throw new Error("The program could not be built.");
}

/** Puts the package of a platform beside the program, in one file, where an owner would install it. */
async function installPlatform(folder: string, platform: string): Promise<void> {
  const target = join(folder, "node_modules", "@tillkit", platform);
  const { build }: typeof import("esbuild") = repository("esbuild");
  await build({
    entryPoints: [join(cli, "..", platform, "src", "index.ts")],
    outfile: join(target, "index.js"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@tillkit/source"],
    // The drivers have parts that no bundle can hold, and no test sends mail.
    external: ["pg", "kysely", "@photostructure/sqlite", "nodemailer"],
    // Express is written for require.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  await writeFile(join(target, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
}
