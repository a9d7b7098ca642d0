import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { repository, runCommand } from "./command.ts";

const BEFORE_NPM =
  /<!-- before the first version on npm -->([\s\S]*?)<!-- from the first version on npm -->\s*```sh\n(.+)\n```/;

/**
 * The packages whose README installs them into a project. The command `tillkit` is installed globally: see cli.test.ts. The plugin for
 * Vendure loads beside Vendure only: `npm run test:vendure` installs it there.
 */
const projects = [
  "client",
  "core",
  "ledger",
  "medusa",
  "prestashop",
  "runtime",
  "sandbox",
  "server",
  "shopify",
  "sql",
  "testkit",
  "woocommerce",
];

describe("the installation that a README describes", () => {
  it.each(projects)("the README of %s names the same packages for a clone and for npm", async (name) => {
    const { add, install, fromNpm } = await readInstallation(name);
    const ours = (text: string) => text.match(/@tillkit\/[a-z]+/g);
    expect(ours(add)).toEqual(ours(fromNpm));
    expect(ours(add)).toContain(`@tillkit/${name}`);
    expect(add.includes("--dev")).toBe(fromNpm.includes("--save-dev"));
    expect(fromNpm.replaceAll(/ @tillkit\/[a-z]+| --save-dev/g, "")).toBe(install.replace(" --save-dev", ""));
  });

  it.each(projects)(
    "the lines of the README of %s install packages that load, with npm in an empty folder",
    async (name) => {
      const { add, install } = await readInstallation(name);
      const project = await emptyProject(add);
      await shell(`${add} && ${install} --no-audit --no-fund`, project);
      await expectToLoad(add, project);
    },
  );

  it.each([
    ["pnpm 10", "npx --yes pnpm@10.34.9 install"],
    ["the newest pnpm", "npx --yes pnpm install"],
    ["yarn 1", "npx --yes yarn@1.22.22 install"],
    [
      "yarn 4",
      "touch yarn.lock && YARN_NODE_LINKER=node-modules YARN_ENABLE_IMMUTABLE_INSTALLS=false npx --yes -p @yarnpkg/cli-dist@4.18.1 yarn install",
    ],
  ])("the server is installed with %s in an empty folder", async (manager, install) => {
    const { add } = await readInstallation("server");
    const project = await emptyProject(add);
    await shell(`${add}${manager.includes("pnpm") ? " --pnpm" : ""} && ${install}`, project);
    await expectToLoad(add, project);
  });
});

/** `add`, `install` and `fromNpm` are the lines of the README: take the packages from a clone, install them, or all from npm. */
async function readInstallation(name: string): Promise<{ add: string; install: string; fromNpm: string }> {
  const readme = await readFile(join(repository, "packages", name, "README.md"), "utf8");
  const [, beforeNpm = "", fromNpm = ""] = BEFORE_NPM.exec(readme) ?? [];
  const [pack, lines = ""] = /```sh\n([\s\S]+?)\n```/.exec(beforeNpm)?.[1]?.split("\n") ?? [];
  expect(pack).toMatch(/^\(cd \.\.\/[a-z]+ && npm run pack:all\)$/);
  const [add = "", install = ""] = lines.split(" && ");
  return { add, install, fromNpm };
}

/** An empty folder beside a clone whose packages are packed. */
async function emptyProject(add: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "tillkit-readme-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const clone = /\.\.\/([a-z]+)\/release/.exec(add)?.[1] ?? "";
  await symlink(inject("clone"), join(parent, clone));
  await runCommand("mkdir", ["shop"], parent);
  return join(parent, "shop");
}

async function expectToLoad(add: string, project: string): Promise<void> {
  for (const name of add.match(/@tillkit\/[a-z]+/g) ?? []) {
    const program = name === "@tillkit/cli" ? "npx --no-install tillkit --version" : `node -e 'import("${name}")'`;
    await expect(shell(program, project)).resolves.toBeTypeOf("string");
  }
}

function shell(line: string, folder: string): Promise<string> {
  return runCommand("sh", ["-c", line], folder);
}
