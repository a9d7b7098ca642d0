import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { digestOfSources, notBuilt, rememberBuilt } from "../packaging/built.ts";
import type { Package } from "../packaging/packages.ts";

const NAMES = ["core", "medusa"];
let root: string;
let packages: readonly Package[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tillkit-built-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  packages = NAMES.map((name) => ({
    name,
    folder: join(root, "packages", name),
    manifest: { name: `@tillkit/${name}`, version: "0.0.0" },
  }));
  for (const name of NAMES) write(`packages/${name}/src/index.ts`, `export const name = "${name}";`);
  write("pnpm-lock.yaml", "lockfileVersion: '9.0'");
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const stamp = () => join(root, ".tillkit", "built.json");
const stillToBuild = () => notBuilt(packages, digestOfSources(root), stamp()).map(({ name }) => name);

/** What building these packages leaves behind. */
function build(...names: readonly string[]): void {
  for (const name of names) write(`packages/${name}/dist/index.js`, `"${name}";`);
  if (names.includes("medusa")) write("packages/medusa/.medusa/server/package.json", "{}");
  const built = packages.filter(({ name }) => names.includes(name));
  rememberBuilt(built, digestOfSources(root), stamp());
}

it("a package is built once of the same sources, and each package by itself", () => {
  expect(stillToBuild()).toEqual(["core", "medusa"]);
  build("core");
  expect(stillToBuild()).toEqual(["medusa"]);
  build("medusa");
  expect(stillToBuild()).toEqual([]);
});

it.each([
  ["a source of another package", "packages/core/src/index.ts"],
  ["a new source", "packages/core/src/new.ts"],
  ["a manifest", "packages/core/package.json"],
  ["the lockfile", "pnpm-lock.yaml"],
  ["the build itself", "packaging/build.ts"],
])("every package is built again after a change of %s", (_, file) => {
  build("core", "medusa");
  write(file, "changed");
  expect(stillToBuild()).toEqual(["core", "medusa"]);
});

it("packages that were built of older sources are built again, although another was built since", () => {
  build("core", "medusa");
  write("packages/core/src/index.ts", "changed");
  build("core");
  expect(stillToBuild()).toEqual(["medusa"]);
});

it("a package is built again when a file of its build was changed, added or removed", () => {
  build("core", "medusa");
  write("packages/core/dist/index.js", "changed");
  expect(stillToBuild()).toEqual(["core"]);
  build("core");
  write("packages/core/dist/old.js", "");
  expect(stillToBuild()).toEqual(["core"]);
  rmSync(join(root, "packages/core/dist"), { recursive: true });
  rmSync(join(root, "packages/medusa/.medusa"), { recursive: true });
  expect(stillToBuild()).toEqual(["core", "medusa"]);
});

it("a test, a page of the site and the zip that packing adds leave the builds as they are", () => {
  build("core", "medusa");
  write("packages/core/test/index.test.ts", "");
  write("packages/docs/site/index.md", "");
  write("packages/core/dist/tillkit-checkout.zip", "");
  expect(stillToBuild()).toEqual([]);
});
