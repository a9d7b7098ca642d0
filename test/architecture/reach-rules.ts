import { posix } from "node:path";
import { libraryOf } from "./import-rules.ts";
import type { SourceFile } from "./source-file.ts";
import { anywhere, packageRules } from "./table.ts";
import { entriesOf, type Manifest } from "./workspace.ts";

/** Checks that a library which is reserved for one public entry is loaded by no other entry, directly or indirectly. */
export function reachViolations(
  files: readonly SourceFile[],
  manifests: ReadonlyMap<string, Manifest>,
): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...manifests].flatMap(([home, manifest]) =>
    entriesOf(manifest).flatMap((entry) => {
      const reached = reachedFrom(`${home}/${entry}`, byPath);
      const forbidden = Object.entries(packageRules[home]?.libraries ?? {}).filter(
        ([, allowedEntry]) => ![anywhere, entry].includes(allowedEntry),
      );
      return forbidden.flatMap(([library]) =>
        reached
          .filter((file) => loads(file).some((specifier) => libraryOf(specifier) === library))
          .map((file) => `${home}/${entry} loads ${library} by way of ${file.path}.`),
      );
    }),
  );
}

function reachedFrom(start: string, byPath: ReadonlyMap<string, SourceFile>): readonly SourceFile[] {
  const reached = new Set<SourceFile>();
  const queue = [start];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const file = byPath.get(path);
    if (!file || reached.has(file)) continue;
    reached.add(file);
    const folder = posix.dirname(path);
    queue.push(
      ...loads(file)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => posix.join(folder, specifier)),
    );
  }
  return [...reached];
}

/** The modules that are loaded at run time, which excludes types. */
function loads(file: SourceFile): readonly string[] {
  return file.imports.filter((found) => !found.isType).map((found) => found.specifier);
}
