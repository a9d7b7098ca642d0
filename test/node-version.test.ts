import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFiles } from "create-tillkit";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-node-version-"));
  const shop = projectFiles({ name: "my-shop", host: "node", packages: null, agents: false });
  await writeFile(join(folder, "check-node.mjs"), shop.get("src/check-node.mjs") ?? "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FROM_SOURCE = ["--conditions=@tillkit/source", "--import", "tsx"];

/** The programs with which a person begins, each with arguments that do nothing more. */
const programs: readonly [string, () => readonly string[]][] = [
  ["npm start in a clone", () => [join(root, ".setup/run.mjs")]],
  ["npm create tillkit", () => [...FROM_SOURCE, join(root, "packages/create-tillkit/src/create-tillkit.ts"), "--help"]],
  ["tillkit", () => [...FROM_SOURCE, join(root, "packages/cli/src/tillkit.ts"), "--version"]],
  ["npm start and npm test of a new shop", () => [join(folder, "check-node.mjs")]],
];

/** What the program prints on standard error when its Node.js says that it is this version. */
async function errorOn(version: string, args: readonly string[]): Promise<string> {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const imported = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  const run = promisify(execFile)(process.execPath, [imported, ...args], { cwd: root });
  return (await run.catch((error: { readonly stderr: string }) => error)).stderr;
}

it.each(programs)("%s names the version of Node.js that it needs, in one sentence", async (_, args) => {
  for (const old of ["18.20.8", "20.18.3", "21.7.3", "22.11.0"])
    expect(await errorOn(old, args())).toMatch(
      new RegExp(
        `^[A-Z][a-z ]+ needs Node 20\\.19, 22\\.12 or newer: this is Node ${old.replaceAll(".", "\\.")}\\.\\n$`,
      ),
    );
  for (const good of ["20.19.0", "22.12.0", "24.0.0"]) expect(await errorOn(good, args())).not.toContain("needs Node");
});
