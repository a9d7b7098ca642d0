import { join, posix } from "node:path";
import ts from "typescript";
import { repository } from "../src/folders.ts";
import type { TypedBlock } from "./read-site.ts";

/**
 * Messages about what a fragment leaves to its reader: names and files that it does not define, globals, the types of the names that it does
 * not define, and awaits outside of a module. Everything else (a member, an option, an argument or an export that does not exist) is a mistake.
 */
const LEFT_TO_READER = new Set([
  2304, // Cannot find name
  2307, // Cannot find module: accepted for files of the reader only
  2552, // Cannot find name, did you mean
  2580, // Cannot find name `require` or `process`
  2582, // Cannot find name `test`
  2593,
  18004, // No value exists in scope for the shorthand property
  1375, // await at the top level of a file that is no module
  1378,
  7006, // A parameter without a type, of a function that nothing calls
  7031,
  7005,
  7034,
  18046, // A caught error that a function of an earlier sample narrows
]);

/** A typed block of a page: `page` and its line name it in a problem. */
export type PageBlock = TypedBlock & { readonly page: string };

/** One sentence for each mistake that the compiler finds in the blocks. */
export function typeProblems(blocks: readonly PageBlock[]): readonly string[] {
  const files = new Map(blocks.map((block, index) => [fileOf(block, index), block]));
  const program = openProgram(files);
  return [...files].flatMap(([file, block]) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found
      .filter((one) => !isLeftToReader(one, block))
      .map((one) => `${block.page}:${lineOf(block, one)}: ${textOf(one)}`);
  });
}

// The folder decides where imports are looked for: beside the packages' own dependencies.
function fileOf({ page, language }: PageBlock, index: number): string {
  const name = /^api\/([a-z-]+)\//.exec(page)?.[1];
  const folder = name === undefined ? "packages/docs/test" : `packages/${name}/test`;
  return posix.join(repository, folder, `sample-${index}.${language === "js" ? "ts" : language}`);
}

function openProgram(files: ReadonlyMap<string, PageBlock>): ts.Program {
  const config = ts.readConfigFile(join(repository, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, files: [], include: [] }, ts.sys, repository);
  const host = ts.createCompilerHost({ ...options, incremental: false });
  const { getSourceFile, fileExists, readFile } = host;
  const withModule = (code: string) => `${code}\nexport {};\n`;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.code ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const block = files.get(path);
    return block === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, withModule(block.code), version, true);
  };
  const sampleOptions = {
    ...options,
    incremental: false,
    noUnusedLocals: false,
    exactOptionalPropertyTypes: false,
    verbatimModuleSyntax: false,
  };
  delete (sampleOptions as ts.CompilerOptions).tsBuildInfoFile;
  return ts.createProgram([...files.keys()], sampleOptions, host);
}

function isLeftToReader(diagnostic: ts.Diagnostic, { language }: PageBlock): boolean {
  // JavaScript passes environment variables as they are, and the program says at its start which one is missing.
  if (language === "js" && /'undefined' is not assignable to type 'string'/.test(textOf(diagnostic))) return true;
  if (!LEFT_TO_READER.has(diagnostic.code)) return false;
  return diagnostic.code !== 2307 || !/'@tillkit\//.test(textOf(diagnostic));
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, " ");
}

function lineOf({ line }: PageBlock, { file, start = 0 }: ts.Diagnostic): number {
  return line + 1 + (file?.getLineAndCharacterOfPosition(start).line ?? 0);
}
