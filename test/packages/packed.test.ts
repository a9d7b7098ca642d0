import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { repository, runCommand } from "./command.ts";
import { type PackedPackage, publicPackages, readPacked, readTarballs } from "./pack.ts";

const attw = fileURLToPath(new URL("../../node_modules/.bin/attw", import.meta.url));
const tsc = join(repository, "node_modules/typescript/bin/tsc");
const names = publicPackages();

/** Entries that need packages which the shop here does not install: a test runner, and Vendure, with which `npm run test:vendure` loads them. */
const ENTRIES_NOT_LOADED = new Set(["@tillkit/testkit/vitest", "@tillkit/vendure"]);

/** The paths of builds, documents, and the files that a merchant's operators use. */
const PUBLISHED_FILE =
  /^(dist\/|docs\/|dashboard\/|deploy\/|monitoring\/|schemas\/|\.medusa\/server\/|package\.json$|[A-Z]+\.md$|LICENSE$)/;

let folder: string;
let shop: string;
let packed: ReadonlyMap<string, PackedPackage>;

beforeAll(async () => {
  const release = join(inject("clone"), "release");
  packed = await readTarballs(release);
  folder = await mkdtemp(join(tmpdir(), "tillkit-packed-"));
  shop = join(folder, "shop");
  await mkdir(shop);
  await runCommand("node", [join(release, "add.mjs"), ...names], shop);
  await runCommand("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], shop);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it("the package of the WooCommerce checkout server contains the plugin that its README tells an owner to upload", () => {
  expect(packedOf("@tillkit/woocommerce").files).toContain("dist/tillkit-checkout.zip");
});

describe.each(names)("%s, as npm gets it", (name) => {
  it("the package contains its build, its documents and its licence, and no source or test", () => {
    const { files } = packedOf(name);
    expect(files.filter((file) => !PUBLISHED_FILE.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json"]));
    expect(files.some((file) => file.startsWith("dist/"))).toBe(true);
  });

  it("the manifest names no source, no workspace and no catalogue", () => {
    const { manifest } = packedOf(name);
    expect(JSON.stringify(manifest)).not.toMatch(/@tillkit\/source|\.\/src\/|workspace:|catalog:/);
  });

  it("the manifest is ready to be published with its provenance", () => {
    const { manifest } = packedOf(name);
    expect(manifest).toMatchObject({
      license: "MIT",
      sideEffects: false,
      engines: { node: "^20.19.0 || >=22.12.0" },
      publishConfig: { access: "public", provenance: true },
    });
  });

  it("every link of the README leads to the web or to a heading of the README", async () => {
    const readme = await readPacked(packedOf(name), "README.md");
    const prose = readme.replaceAll(/^```[\s\S]*?^```$/gm, "");
    const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => `#${slugOf(heading)}`);
    const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !target.startsWith("https://") && !headings.includes(target))).toEqual([]);
    expect(readme).not.toContain("No version is on npm yet");
  });

  it("the package's entries and types are the same for every resolver", async () => {
    const { manifest, tarball } = packedOf(name);
    const { messages, pkg } = await publint({ pack: { tarball: await bytesOf(tarball) }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
    if (manifest.exports) await runCommand(attw, [tarball, "--profile", "strict", "--format", "ascii"], folder);
  }, 60_000);

  it("every entry has its types in a shop that compiles to CommonJS with the resolver node10, and its program runs", async () => {
    const entries = entriesOf(packedOf(name));
    if (entries.length === 0) return;
    // A folder of its own, because the shop around it is one of modules.
    const older = join(shop, "older");
    await mkdir(older, { recursive: true });
    await writeFile(join(older, "package.json"), '{ "type": "commonjs" }');
    const program = join(older, `${name.replaceAll(/\W/g, "-")}.ts`);
    await writeFile(program, useEntries(entries));
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    await runCommand("node", [tsc, ...OLDER_PROJECT, ...types, program], shop);
    await runCommand("node", [program.replace(/\.ts$/, ".js")], shop);
  }, 60_000);

  it("every entry loads by import and by require in an empty shop", async () => {
    for (const entry of entriesOf(packedOf(name))) {
      const importEntry = printExports(`await import("${entry}")`);
      const imported = await runCommand("node", ["--input-type=module", "-e", importEntry], shop);
      const required = await runCommand("node", ["-e", printExports(`require("${entry}")`)], shop);
      expect(JSON.parse(imported)).not.toEqual([]);
      expect(JSON.parse(required)).toEqual(JSON.parse(imported));
    }
  }, 60_000);
});

/** The options of a project as many starters of NestJS and Express write it. */
const OLDER_PROJECT =
  "--strict --skipLibCheck --module commonjs --moduleResolution node10 --target es2022 --esModuleInterop".split(" ");

/** A program that compiles only if each entry has types of its own. It is an error to say of a typed module that it is `any`. */
function useEntries(entries: readonly string[]): string {
  const lines = entries.map(
    (entry, index) => `import * as entry${index} from "${entry}";
      export const isAny${index}: 0 extends 1 & typeof entry${index} ? true : false = false;
      if (Object.keys(entry${index}).length === 0) throw new Error("${entry} is empty");`,
  );
  return lines.join("\n");
}

/** A program that prints the names of an entry's exports. `loadEntry`: the expression that loads the entry. */
function printExports(loadEntry: string): string {
  return `const entry = ${loadEntry};
    const names = Object.keys(entry).filter((name) => name !== "default" && name !== "module.exports");
    console.log(JSON.stringify(names.sort()));`;
}

/** An entry that only a platform's loader can load. `npm run test:medusa` loads Medusa's. */
function isForPlatformLoader(target: unknown): boolean {
  return /"\.\/(\.medusa\/server\/|package\.json")/.test(JSON.stringify(target));
}

/** The anchor that npm and forges give a heading: `Try it: two commands` → `try-it-two-commands`. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function packedOf(name: string): PackedPackage {
  const found = packed.get(name);
  if (!found) throw new Error(`${name} was not packed`);
  return found;
}

function entriesOf({ manifest }: PackedPackage): readonly string[] {
  const entries = Object.entries(manifest.exports ?? {})
    .filter(([, target]) => !isForPlatformLoader(target))
    .map(([subpath]) => subpath.replace(".", manifest.name));
  return entries.filter((entry) => !ENTRIES_NOT_LOADED.has(entry));
}

async function bytesOf(file: string): Promise<ArrayBuffer> {
  return Uint8Array.from(await readFile(file)).buffer;
}
