import { posix } from "node:path";
import { inSource } from "./import-rules.ts";
import type { SourceFile } from "./source-file.ts";
import { coreFolders, coreSystem } from "./table.ts";

const coreSource = "packages/core/src/";
const chance = new Set(["randomUUID", "randomBytes", "randomInt", "getRandomValues", "webcrypto", "*"]);

/** Inside core, dependencies point inwards, and nothing looks at the world around it. */
export function coreViolations(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter((file) => file.path.startsWith(coreSource) && inSource(file) && file.path !== `${coreSource}index.ts`)
    .flatMap((file) =>
      [...directionProblems(file), ...worldProblems(file)].map((problem) => `${file.path} ${problem}`),
    );
}

function directionProblems(file: SourceFile): readonly string[] {
  const folder = folderOf(file.path);
  const rule = coreFolders[folder];
  if (!rule) return [`lies in ${folder}, which has no row in the table of test/architecture/table.ts.`];
  return file.imports.flatMap(({ specifier }) => {
    if (specifier.startsWith("@tillkit/client"))
      return rule.client ? [] : [`imports ${specifier}; ${folder} may not know it.`];
    if (!specifier.startsWith(".")) return [];
    const target = folderOf(posix.join(posix.dirname(file.path), specifier));
    return rule.sees.includes(target) ? [] : [`imports ${specifier}; ${folder} may see ${rule.sees.join(", ")}.`];
  });
}

function worldProblems(file: SourceFile): readonly string[] {
  if (file.path.startsWith(coreSystem)) return [];
  const dice = file.imports
    .filter((one) => one.specifier === "node:crypto")
    .flatMap((one) => one.names.filter((name) => chance.has(name)));
  return [...file.touches, ...dice].map(
    (touch) => `uses ${touch}: time, chance and the process come in through a port.`,
  );
}

function folderOf(path: string): string {
  return path.slice(coreSource.length).split("/")[0] ?? "";
}
