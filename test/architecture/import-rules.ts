import { posix } from "node:path";
import type { Import, SourceFile } from "./source-file.ts";
import { entriesForTests, packageRules } from "./table.ts";
import { entriesOf, type Manifest } from "./workspace.ts";

type Manifests = ReadonlyMap<string, Manifest>;

/** Checks imports between packages, from Node and from third-party libraries. */
export function importViolations(files: readonly SourceFile[], manifests: Manifests): readonly string[] {
  return files.flatMap((file) => [
    ...file.imports.flatMap((found) => problemsOf(file, found, manifests).map((problem) => `${file.path} ${problem}`)),
    ...reExportProblems(file, manifests).map((problem) => `${file.path} ${problem}`),
  ]);
}

function problemsOf(file: SourceFile, { specifier }: Import, manifests: Manifests): readonly string[] {
  const home = homeOf(file.path);
  if (specifier.startsWith(".")) return relativeImportProblems(file.path, home, specifier);
  if (specifier.startsWith("@tillkit/")) {
    return [
      ...exportProblems(specifier, manifests),
      ...(isProductSource(file) ? packageProblems(home, specifier) : []),
    ];
  }
  if (!isProductSource(file)) return [];
  return specifier.startsWith("node:") ? nodeProblems(home, specifier) : libraryProblems(home, specifier);
}

/** `packages/core/src/domain/money.ts` → `packages/core`; a file below `test` → `test`. */
export function homeOf(path: string): string {
  return path.split("/", path.startsWith("test/") ? 1 : 2).join("/");
}

export function isProductSource(file: SourceFile): boolean {
  return file.path.startsWith(`${homeOf(file.path)}/src/`);
}

function relativeImportProblems(path: string, home: string, specifier: string): readonly string[] {
  const target = posix.join(posix.dirname(path), specifier);
  // The programs that build and pack the repository belong to no package, so their tests can import them only by path.
  const isTestOfPackaging = home === "test" && target.startsWith("packaging/");
  const isSharedByTests = /^test\/(?:addresses|postgres|programs|waiting)\//.test(target) && !path.includes("/src/");
  // Plugins are packed with the bridge by the same program, which no server needs: no public entry exports it.
  const isPacking = target === "packages/php-bridge/zip/plugin-zip.ts" && !path.includes("/src/");
  // The table of all options is made of the platforms' own schemas, which no public entry exports.
  const isOptionSchema = home === "test" && /^packages\/[\w-]+\/src\/(?:config|options)(?:\/|\.ts$)/.test(target);
  // Shopify's adapters are parts of its app server. No public entry exports them, and the search of schedules opens them alone.
  const isExplored = path === "test/prove/explorer/shopify-shop.ts" && target.startsWith("packages/shopify/src/");
  const isAllowed = isTestOfPackaging || isPacking || isOptionSchema || isExplored || isSharedByTests;
  return isAllowed || target.startsWith(`${home}/`) ? [] : [`reaches into ${target}: import the package by its name.`];
}

function exportProblems(specifier: string, manifests: Manifests): readonly string[] {
  const [scope, name, ...rest] = specifier.split("/");
  const subpath = [".", ...rest].join("/");
  const manifest = [...manifests.values()].find((candidate) => candidate.name === `${scope}/${name}`);
  return manifest?.exports?.[subpath]
    ? []
    : [`imports ${specifier}, which is not among the exports of ${scope}/${name}.`];
}

function packageProblems(home: string, specifier: string): readonly string[] {
  const name = specifier.split("/")[1] ?? "";
  const rule = packageRules[home];
  if (!rule) return ["has no row in the table of test/architecture/table.ts."];
  if (entriesForTests[specifier]?.includes(home) === false) return [`imports ${specifier}, which is for tests.`];
  return rule.ours.includes(name) ? [] : [`imports ${specifier}; ${home} may import ${onlyThese(rule.ours)} of ours.`];
}

function nodeProblems(home: string, specifier: string): readonly string[] {
  const allowed = packageRules[home]?.node;
  return !allowed || allowed.includes(specifier)
    ? []
    : [`imports ${specifier}; ${home} may import ${onlyThese(allowed)} of Node.`];
}

function libraryProblems(home: string, specifier: string): readonly string[] {
  const name = libraryOf(specifier);
  return packageRules[home]?.libraries[name] === undefined ? [`imports ${name}, which ${home} may not import.`] : [];
}

/** `zod/mini` → `zod`, `@scope/name/part` → `@scope/name` */
export function libraryOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Only a public entry may re-export names, and it must list them. */
function reExportProblems(file: SourceFile, manifests: Manifests): readonly string[] {
  if (!isProductSource(file)) return [];
  const home = homeOf(file.path);
  const manifest = manifests.get(home);
  const isEntry = manifest !== undefined && entriesOf(manifest).includes(file.path.slice(home.length + 1));
  return file.imports
    .filter((found) => found.isReExport)
    .flatMap(({ specifier, names }) => {
      if (names.includes("*")) return [`re-exports all of ${specifier}: name what is public.`];
      if (!isEntry) return [`re-exports ${specifier}: only a public entry does, others import the owning file.`];
      return specifier.startsWith(".") ? [] : [`re-exports another package's names (${specifier}).`];
    });
}

function onlyThese(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : `only ${names.join(", ")}`;
}
