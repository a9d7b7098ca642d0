import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOSTS, projectFiles, runCreate } from "../src/index.ts";
import template from "../src/template.json" with { type: "json" };
import { readExample } from "./read-example.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "create-tillkit-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the program without a terminal. Returns its exit code and its output. */
async function create(...args: string[]) {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const terminal = { log: print, error: print, canAsk: false };
  const code = await runCreate(args, terminal);
  return { code, text: lines.join("\n") };
}

describe("a new project", () => {
  it("the template equals the example of a new adapter (npm run build -- template updates the template)", () => {
    expect(template).toEqual(readExample());
  });

  it.each(HOSTS)("a project on %s has one host, its packages, and no trace of the repository", (host) => {
    const files = projectFiles({ name: "my-shop", host, packages: null, agents: true });
    const names = [...files.keys()];
    expect(names).toContain("src/host.ts");
    expect(names.filter((name) => name.includes("hosts"))).toEqual([]);
    expect([...files.values()].join("\n")).not.toMatch(/hosts\/|json-file-shop|repository-only|workspace:|catalog:/);
    const imported = [...(files.get("src/host.ts") ?? "").matchAll(/from "([^.][^"]*)"/g)].map(([, name]) => name);
    const { dependencies } = JSON.parse(files.get("package.json") ?? "");
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining(imported.filter((name) => !name?.startsWith("node:"))),
    );
  });

  it("every relative import of a project leads to one of its files", () => {
    for (const host of HOSTS) {
      const files = projectFiles({ name: "my-shop", host, packages: null, agents: true });
      for (const [path, text] of files) {
        for (const [, specifier = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
          expect(files.has(join(path, "..", specifier)), `${path} imports ${specifier}`).toBe(true);
        }
      }
    }
  });

  it("the versions of all packages are exact", () => {
    const { dependencies, devDependencies } = JSON.parse(
      projectFiles({ name: "my-shop", host: "express", packages: null, agents: true }).get("package.json") ?? "",
    );
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.length).toBeGreaterThan(8);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });
});

describe("the command that writes a project", () => {
  it("the command writes the files, names the shop after its folder and prints the next steps", async () => {
    const { code, text } = await create(join(folder, "chez-adjoua"), "--host", "hono", "--no-install");
    expect([code, text]).toEqual([0, expect.stringContaining("npm install")]);
    expect(await readdir(join(folder, "chez-adjoua", "src"))).toContain("adapter.ts");
    const checkout = await readFile(join(folder, "chez-adjoua", "src", "checkout.ts"), "utf8");
    expect(checkout).toContain('storeId = "chez-adjoua"');
  });

  it("a project without the files for assistants is the same project otherwise", async () => {
    expect((await create(join(folder, "with"), "--no-install")).code).toBe(0);
    expect((await create(join(folder, "without"), "--no-install", "--no-agents")).code).toBe(0);
    const [all, fewer] = [await readdir(join(folder, "with")), await readdir(join(folder, "without"))];
    expect(all.filter((name) => !fewer.includes(name))).toEqual(["AGENTS.md", "CLAUDE.md"]);
    expect(fewer.filter((name) => !all.includes(name))).toEqual([]);
  });

  it("a folder that has files is refused and stays as it is", async () => {
    const shop = join(folder, "shop");
    await mkdir(shop);
    await writeFile(join(shop, "precious.txt"), "mine");
    const { code, text } = await create(shop, "--no-install");
    expect([code, text]).toEqual([1, expect.stringContaining("is not empty")]);
    expect(await readdir(shop)).toEqual(["precious.txt"]);
  });

  it.each([
    [["Bad Name"], '"Bad Name" cannot be the name of a package'],
    [[], "Name the folder of the new shop"],
    [["shop", "--host", "koa"], "The host must be one of express, fastify, hono, node."],
    [["shop", "--hosts", "koa"], "There is no option --hosts."],
    [["shop", "--npm", "--yarn"], "Choose one of --npm and --yarn."],
    [["shop", "other"], "Name one folder, not 2"],
  ])("the command line %j is refused with a sentence that says what to do", async (args, sentence) => {
    const { code, text } = await create(...args);
    expect([code, text]).toEqual([2, expect.stringContaining(sentence)]);
    expect(text).toContain("See: npm create tillkit --help");
  });

  it("a folder without packed packages is refused before anything is written", async () => {
    const { code, text } = await create(join(folder, "shop"), "--packages", folder, "--no-install");
    expect([code, text]).toEqual([1, expect.stringContaining('run "npm run pack:all"')]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("the help names every option", async () => {
    const { code, text } = await create("--help");
    expect(code).toBe(0);
    for (const option of ["--host", "--packages", "--pnpm", "--no-install", "--no-agents", "--yes"])
      expect(text).toContain(option);
  });
});
