import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Template } from "../src/template.ts";

const repository = join(import.meta.dirname, "..", "..", "..");
const example = join(repository, "examples", "new-adapter");

/** Tests of the example that a generated project does not need, because they compare the hosts or break adapters on purpose. */
const ONLY_IN_EXAMPLE = ["test/hosts.test.ts", "test/broken-adapters.test.ts"];

/** The template, made from the example: its files, and the versions of the third-party packages with which it was tested. */
export function readExample(): Template {
  const paths = ["src", "src/hosts", "test"].flatMap((folder) =>
    readdirSync(join(example, folder))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );
  const files = ["AGENTS.md", "CLAUDE.md", "README.md", ...paths]
    .filter((path) => !ONLY_IN_EXAMPLE.includes(path))
    .sort();
  return {
    files: Object.fromEntries(files.map((path) => [path, withoutRegions(readFileSync(join(example, path), "utf8"))])),
    versions: readVersions(),
  };
}

/** Removes the lines that mark regions for the documentation, because a generated project has no use for them. */
function withoutRegions(text: string): string {
  return text.replace(/^ *(?:\/\/|<!--) #(?:end)?region .*\n/gm, "");
}

function readVersions(): Record<string, string> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(example, "package.json"), "utf8"));
  const workspace = readFileSync(join(repository, "pnpm-workspace.yaml"), "utf8");
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith("@tillkit/"));
  return Object.fromEntries(names.sort().map((name) => [name, catalogVersion(workspace, name)]));
}

function catalogVersion(workspace: string, name: string): string {
  const lines = workspace.split("\n");
  const catalogLine = lines.find((line) => line.trim().replaceAll('"', "").startsWith(`${name}: `));
  const version = catalogLine?.split(": ")[1];
  if (version === undefined) throw new Error(`pnpm-workspace.yaml has no version of ${name} in its catalog.`);
  return version;
}
