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

  it("an optional peer is overridden only in a project that installs it", () => {
    const dependencies = {
      "@tillkit/core": "file:./tillkit-core-0.1.0.tgz",
      "@tillkit/server": "file:./tillkit-server-0.1.0.tgz",
    };
    const release = join(folder, "tillkit", "release", "package.json");
    writeFileSync(release, JSON.stringify({ dependencies, optionalPeers: ["@tillkit/server"] }));
    add("@tillkit/core");
    expect(manifest()).toMatchObject({ overrides: { "@tillkit/core": coreSpecifier } });
    expect(manifest().overrides).not.toHaveProperty(["@tillkit/server"]);
    add("@tillkit/server");
    add("@tillkit/core");
    expect(manifest()).toMatchObject({
      overrides: { "@tillkit/core": coreSpecifier, "@tillkit/server": serverSpecifier },
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

  it("a project of a pnpm workspace gets the dependency, and the overrides are written where pnpm reads them", () => {
    const settings = join(project, "pnpm-workspace.yaml");
    writeFileSync(settings, "packages:\n  - apps/*\n");
    const rootManifest = '{ "name": "workspace" }\n';
    writeFileSync(join(project, "package.json"), rootManifest);
    const app = join(project, "apps", "backend");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "package.json"), '{ "name": "backend" }');
    expect(addIn(app, "@tillkit/core")).toContain("Next: pnpm install");
    const inApp = coreSpecifier.replace("file:../", "file:../../../");
    expect(manifest(app)).toEqual({ name: "backend", dependencies: { "@tillkit/core": inApp } });
    expect(readFileSync(join(project, "package.json"), "utf8")).toBe(rootManifest);
    expect(readFileSync(settings, "utf8")).toContain(`overrides:\n  "@tillkit/core": ${coreSpecifier}\n`);
  });

  it("overrides in the root manifest of a pnpm workspace stay, and ours are added beside them", () => {
    writeFileSync(join(project, "pnpm-workspace.yaml"), "packages:\n  - apps/*\n");
    const rootManifest = { name: "workspace", pnpm: { overrides: { qs: "6.0.0" } } };
    writeFileSync(join(project, "package.json"), JSON.stringify(rootManifest));
    const app = join(project, "apps", "backend");
    mkdirSync(app, { recursive: true });
    addIn(app, "@tillkit/core");
    const overrides = { qs: "6.0.0", "@tillkit/core": coreSpecifier, "@tillkit/server": serverSpecifier };
    expect(manifest()).toEqual({ name: "workspace", pnpm: { overrides } });
  });

  it("a project of an npm workspace gets the dependency, and its root the overrides", () => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "workspace", workspaces: ["apps/*"] }));
    const app = join(project, "apps", "backend");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "package.json"), '{ "name": "backend" }');
    expect(addIn(app, "@tillkit/core")).toContain("Next: npm install");
    expect(manifest(app)).not.toHaveProperty("overrides");
    // A relative path would be relative to the project, not to the root.
    const release = `file:${folder}/tillkit/release`;
    const overrides = {
      "@tillkit/core": `${release}/tillkit-core-0.1.0.tgz`,
      "@tillkit/server": `${release}/tillkit-server-0.1.0.tgz`,
    };
    expect(manifest()).toMatchObject({ name: "workspace", overrides, resolutions: overrides });
    expect(manifest()).not.toHaveProperty("dependencies");
  });

  it("a folder that the workspaces of npm do not name is a project of its own", () => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "workspace", workspaces: ["apps/*"] }));
    const other = join(project, "tools", "backend");
    mkdirSync(other, { recursive: true });
    addIn(other, "@tillkit/core");
    expect(manifest(other)).toHaveProperty("overrides");
    expect(manifest()).toEqual({ name: "workspace", workspaces: ["apps/*"] });
  });

  it("a project with its own lock file is no part of the workspace around it", () => {
    writeFileSync(join(project, "pnpm-workspace.yaml"), "packages:\n  - apps/*\n");
    const app = join(project, "apps", "other");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "package-lock.json"), "{}");
    expect(addIn(app, "@tillkit/core")).toContain("Next: npm install");
    expect(manifest(app)).toHaveProperty("overrides");
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
  return addIn(project, ...words);
}

function addIn(workingFolder: string, ...words: readonly string[]): string {
  const script = join(folder, "tillkit", "release", "add.mjs");
  return execFileSync(process.execPath, [script, ...words], { cwd: workingFolder, encoding: "utf8" });
}

function manifest(ofProject = project): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ofProject, "package.json"), "utf8"));
}
