import { homeOf, isProductSource, libraryOf } from "./import-rules.ts";
import type { SourceFile } from "./source-file.ts";
import { packageRules } from "./table.ts";
import type { Manifest } from "./workspace.ts";

/** Checks that a package declares exactly the packages that its src imports, and publishes exactly its entries. */
export function manifestViolations(
  files: readonly SourceFile[],
  manifests: ReadonlyMap<string, Manifest>,
): readonly string[] {
  return [...manifests].flatMap(([home, manifest]) => {
    const imported = importedBy(files.filter((file) => homeOf(file.path) === home && isProductSource(file)));
    const declared = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
    ]);
    return [
      ...[...imported]
        .filter((name) => !declared.has(name) && !isBuiltIn(home, manifest, name))
        .map((name) => `${home} imports ${name} but its package.json does not declare it.`),
      ...[...declared]
        .filter((name) => !imported.has(name) && !librariesBuiltInto(home).has(name))
        .map((name) => `${home} depends on ${name} but imports it nowhere.`),
      ...(publishesItsEntries(manifest) ? [] : [`${home} must publish its exports, without @tillkit/source.`]),
    ];
  });
}

/** A package of ours that the build of `home` contains, so that nobody installs it with `home`. */
function isBuiltIn(home: string, manifest: Manifest, name: string): boolean {
  return packageRules[home]?.containsOurs === true && manifest.devDependencies?.[name] === "workspace:*";
}

/** The libraries of the packages that the build of `home` may contain. */
function librariesBuiltInto(home: string): ReadonlySet<string> {
  const rule = packageRules[home];
  const contained = rule?.containsOurs ? rule.ours : [];
  return new Set(contained.flatMap((name) => Object.keys(packageRules[`packages/${name}`]?.libraries ?? {})));
}

function importedBy(files: readonly SourceFile[]): ReadonlySet<string> {
  const specifiers = files.flatMap((file) => file.imports.map((found) => found.specifier));
  return new Set(
    specifiers.filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:")).map(libraryOf),
  );
}

function publishesItsEntries({ private: isPrivate, exports = {}, publishConfig }: Manifest): boolean {
  if (isPrivate) return true;
  const built = Object.entries(exports).map(([subpath, { "@tillkit/source": _, ...target }]) => [subpath, target]);
  const published = Object.entries(publishConfig?.exports ?? {}).filter(([, target]) => !isForPlatformLoader(target));
  return JSON.stringify(Object.fromEntries(built)) === JSON.stringify(Object.fromEntries(published));
}

/** An entry that only a platform's loader reads from the tarball, such as Medusa's. No code of ours imports it. */
function isForPlatformLoader(target: unknown): boolean {
  return /"\.\/(\.medusa\/server\/src\/|package\.json")/.test(JSON.stringify(target));
}
