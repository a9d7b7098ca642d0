import { join, posix } from "node:path";
import ts from "typescript";
import { repository } from "../src/folders.ts";
import type { TypedBlock } from "./read-site.ts";

/**
 * The compiler's messages that are no mistakes in a fragment of a program: the reader defines the missing names and files, adds missing
 * types, and puts an `await` into a module. Every other message, such as a member or an option that does not exist, is a mistake.
 */
const LEFT_TO_READER = new Set([
  2304, // Cannot find name
  2307, // Cannot find module, which is accepted for every module except our packages
  2552, // Cannot find name, did you mean
  2580, // Cannot find name `require` or `process`
  2582, // Cannot find name `test`
  2593, // Cannot find name `test` without types of a test runner
  18004, // No value exists in scope for the shorthand property
  1375, // await at the top level of a file that is no module
  1378, // await at the top level, which the module setting does not allow
  7006, // A parameter without a type
  7031, // A destructured parameter without a type
  7005, // A variable without a type
  7034, // A variable whose type cannot be inferred
  18046, // A caught error that a function of an earlier sample narrows
]);

/** A code block and its page. A problem names the page and the line. */
export type PageBlock = TypedBlock & { readonly page: string };

/** One sentence for each mistake that the compiler finds in the blocks. */
export function typeProblems(blocks: readonly PageBlock[]): readonly string[] {
  const files = new Map(blocks.map((block, index) => [fileOf(block, index), block]));
  const program = openProgram(files);
  return [...files].flatMap(([file, block]) => {
    const source = program.getSourceFile(file);
    const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return diagnostics
      .filter((diagnostic) => !isLeftToReader(diagnostic, block))
      .map((diagnostic) => `${block.page}:${lineOf(block, diagnostic)}: ${textOf(diagnostic)}`);
  });
}

// The compiler looks for imports beside the file. A block in the README of a package gets that package's dependencies.
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
  // An export makes the file a module, so that blocks do not share their names.
  const asModule = (code: string) => `${code}\nexport {};\n`;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.code ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const block = files.get(path);
    return block === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, asModule(block.code), version, true);
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
  // A JavaScript sample passes an environment variable that may be undefined. The program that gets it names a missing variable.
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
