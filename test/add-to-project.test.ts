import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../packaging/add-to-project.mjs", import.meta.url));
const coreSpecifier = "file:../tillkit/release/tillkit-core-0.1.0.tgz";
const serverSpecifier = "file:../tillkit/release/tillkit-server-0.1.0.tgz";

let folder: string;
let project: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-add-"));
  const release = join(folder, "tillkit", "release");
  mkdirSync(release, { recursive: true });
  copyFileSync(program, join(release, "add.mjs"));
  const dependencies = {
    "@tillkit/core": "file:./tillkit-core-0.1.0.tgz",
    "@tillkit/server": "file:./tillkit-server-0.1.0.tgz",
  };
  writeFileSync(join(release, "package.json"), JSON.stringify({ dependencies }));
  project = join(folder, "shop");
  mkdirSync(project);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("adding packages of a clone to a project", () => {
  it("an empty folder becomes a project that takes every package of ours from the clone", () => {
    expect(add("@tillkit/server")).toContain("Next: npm install");
    expect(manifest()).toEqual({
      private: true,
      type: "module",
      dependencies: { "@tillkit/server": serverSpecifier },
      overrides: { "@tillkit/core": coreSpecifier, "@tillkit/server": serverSpecifier },
      resolutions: { "@tillkit/core": coreSpecifier, "@tillkit/server": serverSpecifier },
    });
  });

  it("an existing project keeps everything that it had", () => {
    const before = { name: "shop", version: "1.0.0", dependencies: { express: "5.3.0" }, overrides: { qs: "6.0.0" } };
    writeFileSync(join(project, "package.json"), JSON.stringify(before));
    add("--dev", "@tillkit/core");
    expect(manifest()).toMatchObject({ ...before, devDependencies: { "@tillkit/core": coreSpecifier } });
  });

  it("a project of pnpm gets its overrides where pnpm reads them, and a second run changes nothing", () => {
    const settings = join(project, "pnpm-workspace.yaml");
    writeFileSync(settings, "packages:\n  - apps/*\noverrides:\n  qs: 6.0.0");
    add("@tillkit/core");
    const afterFirstRun = readFileSync(settings, "utf8");
    expect(afterFirstRun).toBe(
      `packages:\n  - apps/*\noverrides:\n  "@tillkit/core": ${coreSpecifier}\n  "@tillkit/server": ${serverSpecifier}\n  qs: 6.0.0\nallowBuilds:\n  "@photostructure/sqlite": false\n`,
    );
    expect(add("@tillkit/core")).toContain("Next: pnpm install");
    expect(readFileSync(settings, "utf8")).toBe(afterFirstRun);
  });

  it.each([
    [["@tillkit/sever"], "There is no package @tillkit/sever in"],
    [[], "Name the packages to add."],
    [["--global", "@tillkit/core"], "Unknown option --global."],
  ])("the arguments %j change nothing and print the list of packages", (words, sentence) => {
    const { status, stderr } = spawnSync(process.execPath, [join("..", "tillkit", "release", "add.mjs"), ...words], {
      cwd: project,
      encoding: "utf8",
    });
    expect(status).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain("Packages: @tillkit/core, @tillkit/server");
    expect(() => manifest()).toThrow("ENOENT");
  });
});

function add(...words: readonly string[]): string {
  return execFileSync(process.execPath, [join("..", "tillkit", "release", "add.mjs"), ...words], {
    cwd: project,
    encoding: "utf8",
  });
}

function manifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
}
