import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, it, onTestFinished } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const plugin = join(repository, "packages", "vendure");
const DECLARED = "vendure-core.d.ts";

// The workspace checks the plugin against the few declarations that it writes down itself.
it("the plugin's sources fit the declarations of the real Vendure and Nest", { timeout: 600_000 }, async () => {
  const folder = join(plugin, "node_modules", ".cache", "real-types");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(plugin, "src"), join(folder, "src"), { recursive: true, filter: (file) => !file.endsWith(DECLARED) });
  const entry = join(folder, "src", "plugin.ts");
  await writeFile(entry, (await readFile(entry, "utf8")).replace(/^\/\/\/ <reference .*\n/, ""));
  const modules = join(inject("vendureStore").folder, "node_modules");
  const paths = Object.fromEntries(
    ["@vendure/core", "@nestjs/*", "graphql"].map((name) => [name, [join(modules, name)]]),
  );
  const config = {
    extends: join(repository, "tsconfig.json"),
    compilerOptions: { incremental: false, paths, typeRoots: [join(repository, "node_modules", "@types")] },
    include: ["src"],
    exclude: [],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [
    tsc,
    "-p",
    folder,
    "--tsBuildInfoFile",
    "null",
  ]).catch((error: { stdout: string }) => error);
  expect(stdout.split("\n").filter((line) => line.includes("real-types"))).toEqual([]);
});
