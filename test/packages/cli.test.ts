import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { command } from "./command.ts";
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
  await command("npm", ["install", "--global", "--prefix", folder, ...quietFlags, cli.tarball], folder);
  dist = join(folder, "lib", "node_modules", "@tillkit", "cli", "dist");
}, 120_000);

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
      `This command needs the package ${name}, which is not installed: install ${name}@${manifest.version} where @tillkit/cli is installed.`,
    );
  });

  it("the schemas of --json are part of the package", async () => {
    const schema = JSON.parse(await readFile(join(dist, "..", "schemas", "refunds", "create.json"), "utf8"));
    expect(schema.required).toContain("transaction");
  });

  it("the installation has at most 30 packages and 50 MB", async () => {
    const modules = join(folder, "lib", "node_modules", "@tillkit", "cli", "node_modules");
    const names = (await readdir(modules)).filter((name) => !name.startsWith("."));
    const scoped = await Promise.all(
      names.filter((name) => name.startsWith("@")).map((name) => readdir(join(modules, name))),
    );
    expect(names.length + scoped.flat().length).toBeLessThanOrEqual(30);
    const [megabytes] = (await command("du", ["-sm", folder], folder)).split("\t");
    expect(Number(megabytes)).toBeLessThanOrEqual(50);
  });

  it("the command's parts import exactly the packages that its manifest names", async () => {
    const files = await readdir(dist);
    const imported = await Promise.all(files.map((file) => packagesImportedBy(file)));
    const needed = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect([...new Set(imported.flat())].sort()).toEqual(Object.keys(needed).sort());
  });

  it("the help loads no package at all and is printed within 150 ms", async () => {
    const reached = await staticImportsOf("tillkit.js", new Set());
    expect((await Promise.all([...reached].map((file) => packagesImportedBy(file, "static")))).flat()).toEqual([]);
    const [help, bare] = [
      await fastest(() => tillkit("--help")),
      await fastest(() => command("node", ["-e", "0"], folder)),
    ];
    // A machine that takes long to start Node itself measures nothing about the command.
    expect(help).toBeLessThanOrEqual(Math.max(150, 2 * bare));
  });
});

function tillkit(...args: readonly string[]): Promise<string> {
  return command(join(folder, "bin", "tillkit"), args, folder);
}

const staticImport = /^(?:import|export)\b[^"';]*?["']([^"']+)["'];?$|^\} from ["']([^"']+)["'];?$/gm;
const dynamicImport = /\bimport\(["']([^"']+)["']\)/g;

/** The packages of others that one built file imports. Texts of files that `new adapter` writes do not count. */
async function packagesImportedBy(file: string, kind: "static" | "all" = "all"): Promise<readonly string[]> {
  const built = await readFile(join(dist, file), "utf8");
  const text = built.replace(/"[\w./-]+": (["'`])(?:\\.|(?!\1).)*\1/gs, "");
  const patterns = kind === "static" ? [staticImport] : [staticImport, dynamicImport];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ""))
    .filter((name) => !name.startsWith(".") && !name.startsWith("node:"))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
}

/** The files of the build that are loaded with this one. */
async function staticImportsOf(file: string, reached: Set<string>): Promise<ReadonlySet<string>> {
  reached.add(file);
  const text = await readFile(join(dist, file), "utf8");
  for (const [, one, other] of text.matchAll(staticImport)) {
    const next = (one ?? other ?? "").replace("./", "");
    if ((one ?? other ?? "").startsWith("./") && !reached.has(next)) await staticImportsOf(next, reached);
  }
  return reached;
}

/** In milliseconds, the fastest of ten runs. */
async function fastest(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  return Math.min(...times);
}
