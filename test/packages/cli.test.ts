import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runCommand } from "./command.ts";
import { type PackedManifest, readTarballs } from "./pack.ts";

let folder: string;
let dist: string;
let manifest: PackedManifest;

beforeAll(async () => {
  const cli = (await readTarballs(join(inject("clone"), "release"))).get("@tillkit/cli");
  if (!cli) throw new Error("@tillkit/cli was not packed");
  manifest = cli.manifest;
  folder = await mkdtemp(join(tmpdir(), "tillkit-cli-"));
  const quietFlags = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await runCommand("npm", ["install", "--global", "--prefix", folder, ...quietFlags, cli.tarball], folder);
  dist = join(folder, "lib", "node_modules", "@tillkit", "cli", "dist");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("tillkit, installed alone from its tarball", () => {
  it("the command prints its version", async () => {
    expect(await tillkit("--version")).toBe(`${manifest.version}\n`);
  });

  it("the commands for the sandbox and for a ledger run without any other package of ours", async () => {
    expect(await tillkit("sandbox", "--help")).toContain("--port <number>");
    await expect(tillkit("jobs", "--ledger", "sqlite::memory:")).resolves.toBe("There are no jobs.\n");
    expect(await tillkit("export", "--ledger", "sqlite::memory:")).toMatch(/^order,payment,transaction,/);
  });

  it.each([
    [["shopify", "serve", "--config", "shopify.json"], "@tillkit/shopify"],
    [["woocommerce", "serve", "--config", "woocommerce.json"], "@tillkit/woocommerce"],
    [["doctor", "--woocommerce", "--config", "woocommerce.json"], "@tillkit/woocommerce"],
    [["doctor", "--shopify", "--config", "shopify.json"], "@tillkit/shopify"],
  ])("the command %j names the package that it needs", async (args, name) => {
    await expect(tillkit(...args)).rejects.toThrow(
      `This command needs the package ${name} with its dependencies: install ${name}@${manifest.version} where @tillkit/cli is installed.`,
    );
  });

  it("the schemas of --json are part of the package", async () => {
    const schema = JSON.parse(await readFile(join(dist, "..", "schemas", "refunds", "create.json"), "utf8"));
    expect(schema.required).toContain("transaction");
  });

  it("the documentation that tillkit mcp searches is part of the package", async () => {
    expect(await readFile(join(dist, "..", "docs", "index.md"), "utf8")).toContain("](handbook.md)");
  });

  it("the installation has at most 32 packages and 60 MB", async () => {
    const modules = join(folder, "lib", "node_modules", "@tillkit", "cli", "node_modules");
    const names = (await readdir(modules)).filter((name) => !name.startsWith("."));
    const scoped = await Promise.all(
      names.filter((name) => name.startsWith("@")).map((name) => readdir(join(modules, name))),
    );
    expect(names.length + scoped.flat().length).toBeLessThanOrEqual(32);
    const [megabytes] = (await runCommand("du", ["-sm", folder], folder)).split("\t");
    expect(Number(megabytes)).toBeLessThanOrEqual(60);
  });

  it("the command's parts import exactly the packages that its manifest names", async () => {
    const files = await readdir(dist);
    const imported = await Promise.all(files.map((file) => packagesImportedBy(file)));
    const needed = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect([...new Set(imported.flat())].sort()).toEqual(Object.keys(needed).sort());
  });

  it("the help loads no package at all", async () => {
    const reached = await staticImportsOf("tillkit.js", new Set());
    expect((await Promise.all([...reached].map((file) => packagesImportedBy(file, "static")))).flat()).toEqual([]);
  });
});

function tillkit(...args: readonly string[]): Promise<string> {
  return runCommand(join(folder, "bin", "tillkit"), args, folder);
}

/** `import … from "name"` or `export … from "name"`: on one line, or the last line of a list of names. */
const STATIC_IMPORT = /^(?:import|export)\b[^"';]*?["']([^"']+)["'];?$|^\} from ["']([^"']+)["'];?$/gm;
const DYNAMIC_IMPORT = /\bimport\(["']([^"']+)["']\)/g;
/** In the templates of `new adapter`: a file's path and its text, which may contain imports of its own. */
const TEMPLATE_FILE = /"[\w./-]+": (["'`])(?:\\.|(?!\1).)*\1/gs;

/** The packages of others that one built file imports. */
async function packagesImportedBy(file: string, kind: "static" | "all" = "all"): Promise<readonly string[]> {
  const code = (await readFile(join(dist, file), "utf8")).replace(TEMPLATE_FILE, "");
  const patterns = kind === "static" ? [STATIC_IMPORT] : [STATIC_IMPORT, DYNAMIC_IMPORT];
  return patterns
    .flatMap((pattern) => specifiersIn(code, pattern))
    .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
}

function specifiersIn(code: string, pattern: RegExp): readonly string[] {
  return [...code.matchAll(pattern)].map(([, oneLine, lastLine]) => oneLine ?? lastLine ?? "");
}

/** The files of the build that are loaded with this one. */
async function staticImportsOf(file: string, reached: Set<string>): Promise<ReadonlySet<string>> {
  reached.add(file);
  const code = await readFile(join(dist, file), "utf8");
  for (const specifier of specifiersIn(code, STATIC_IMPORT)) {
    const imported = specifier.replace("./", "");
    if (specifier.startsWith("./") && !reached.has(imported)) await staticImportsOf(imported, reached);
  }
  return reached;
}
