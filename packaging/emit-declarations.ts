import { join } from "node:path";
import ts from "typescript";
import { repository } from "./packages.ts";

/**
 * Writes the declarations of these entries and of every file of ours that they import to `folder`: `packages/core/src/index.ts`
 * becomes `core/src/index.d.ts`. One compiler reads all packages, because starting one for each package is what takes long.
 * Types are not checked here; `npm run types` checks them.
 * @throws Error with the compiler's messages
 */
export function emitDeclarations(entries: readonly string[], folder: string): void {
  const program = ts.createProgram([...entries], { ...readOptions(), outDir: folder });
  const { diagnostics } = program.emit();
  const problems = [...program.getSyntacticDiagnostics(), ...diagnostics];
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, formatHost));
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => repository,
  getNewLine: () => "\n",
};

function readOptions(): ts.CompilerOptions {
  const file = join(repository, "tsconfig.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repository, file);
  const { tsBuildInfoFile: _, ...shared } = options;
  return {
    ...shared,
    noEmit: false,
    incremental: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(repository, "packages"),
  };
}
