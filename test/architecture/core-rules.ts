import { posix } from "node:path";
import { isProductSource } from "./import-rules.ts";
import type { SourceFile } from "./source-file.ts";
import { coreEntries, coreFolders, coreSystemFile } from "./table.ts";

const coreSource = "packages/core/src/";
const randomNames = new Set(["randomUUID", "randomBytes", "randomInt", "getRandomValues", "webcrypto", "*"]);

/** Checks that imports inside core point inwards and that only `system.ts` uses the clock, randomness and the process. */
export function coreViolations(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter((file) => file.path.startsWith(coreSource) && isProductSource(file))
    .flatMap((file) => problemsOf(file).map((problem) => `${file.path} ${problem}`));
}

function problemsOf(file: SourceFile): readonly string[] {
  if (!coreEntries.includes(file.path.slice(coreSource.length)))
    return [...directionProblems(file), ...systemUseProblems(file)];
  const loadsMemory = file.imports.some(({ specifier }) => /^\.\/memory(?:-ledger\/|\.ts)/.test(specifier));
  return loadsMemory ? ["loads the memory ledger, which has an entry of its own."] : [];
}

function directionProblems(file: SourceFile): readonly string[] {
  const folder = folderOf(file.path);
  const rule = coreFolders[folder];
  if (!rule) return [`lies in ${folder}, which has no row in the table of test/architecture/table.ts.`];
  return file.imports.flatMap(({ specifier }) => {
    if (specifier.startsWith("@tillkit/client"))
      return rule.client ? [] : [`imports ${specifier}; ${folder} may not import it.`];
    if (!specifier.startsWith(".")) return [];
    const target = folderOf(posix.join(posix.dirname(file.path), specifier));
    return rule.sees.includes(target) ? [] : [`imports ${specifier}; ${folder} may import ${rule.sees.join(", ")}.`];
  });
}

function systemUseProblems(file: SourceFile): readonly string[] {
  if (file.path.startsWith(coreSystemFile)) return [];
  const randomImports = file.imports
    .filter((found) => found.specifier === "node:crypto")
    .flatMap((found) => found.names.filter((name) => randomNames.has(name)));
  return [...file.globals, ...randomImports].map(
    (name) => `uses ${name}: core gets time, randomness and the process through a port.`,
  );
}

function folderOf(path: string): string {
  return path.slice(coreSource.length).split("/")[0] ?? "";
}
