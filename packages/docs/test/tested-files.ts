import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { repository } from "../src/folders.ts";
import { readPackages } from "../src/packages.ts";

/** Folders that a test starts or reads without importing their files: the test, and a text in the test that names the folder. */
const namedByTests: Readonly<Record<string, { readonly test: string; readonly names: string }>> = {
  "packages/woocommerce/deploy/": { test: "packages/cli/test/deploy.test.ts", names: "deploy" },
  "packages/shopify/deploy/": { test: "packages/cli/test/deploy.test.ts", names: "deploy" },
  "packages/server/monitoring/": { test: "packages/server/test/monitoring.test.ts", names: "prometheus.yaml" },
  "examples/vendure-store/store/": { test: "test/vendure/set-up.ts", names: "installStore" },
  "examples/medusa-store/store/": { test: "test/medusa/prepare-store.ts", names: "installStore" },
  "packages/docs/test/samples/try-client.ts": {
    test: "packages/docs/test/client-sample.test.ts",
    names: "quick-start/client.md",
  },
  "examples/shopify-app/src/": { test: "examples/shopify-app/test/demo.test.ts", names: "../src" },
};

/** Whether a test runs the file: a test imports the file, directly or through other files, or `namedByTests` has the file's folder. */
export function isTested(file: string): boolean {
  const named = Object.entries(namedByTests).find(([folder]) => file.startsWith(folder));
  if (named !== undefined) {
    const [, { test, names }] = named;
    return readFileSync(join(repository, test), "utf8").includes(names);
  }
  reached ??= filesReachedByTests();
  return reached.has(file);
}

let reached: ReadonlySet<string> | undefined;

function filesReachedByTests(): ReadonlySet<string> {
  const sources = new Map(
    readPackages().flatMap(({ entries }) => entries.map(({ specifier, source }) => [specifier, source])),
  );
  const files = new Set<string>();
  const waiting = ["packages", "examples", "test"].flatMap(testsBelow);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || !existsSync(file)) continue;
    files.add(file);
    waiting.push(...importsOf(file, sources));
  }
  return new Set([...files].map((file) => relative(repository, file)));
}

function testsBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "dist"].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testsBelow(path);
    return entry.name.endsWith(".test.ts") ? [join(repository, path)] : [];
  });
}

/** The files that a file imports. `sources`: the source files of our packages' entries by specifier. Other packages are left out. */
function importsOf(file: string, sources: ReadonlyMap<string, string>): readonly string[] {
  if (!/\.m?tsx?$/.test(file)) return [];
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...imports].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith(".")) return [resolve(dirname(file), specifier)];
    const source = sources.get(specifier);
    return source === undefined ? [] : [source];
  });
}
