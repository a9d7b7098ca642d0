import { maxLines } from "./table.ts";
import type { Workspace } from "./workspace.ts";

type ForbiddenWord = { readonly pattern: RegExp; readonly why: string; readonly where?: RegExp };

/** The tests of `npm test`. The others need minutes of a real shop, and a new adapter has its project's own limits. */
const testFiles = /^(?!examples\/new-adapter|test\/(?:medusa|packages|vendure)\/|.*\/wordpress-plugin\/).*\.test\.ts$/;

/** Patterns are written so that this file does not match itself. */
const forbiddenWords: readonly ForbiddenWord[] = [
  { pattern: /(?<![\w.])\/(?:work|root|home\/\w+|Users\/\w+)\/\w/, why: "a path of a developer's machine" },
  {
    pattern: /\b(?:SPEC|CONTRACT|RELIABILITY|INTERFACES|TOOLCHAIN)\.md\b/,
    why: "a document that is not in this repository",
  },
  {
    pattern: /\bhttps?:\/\/[^\s"'`)]*(?:registry|artifactory|nexus|verdaccio)[^\s"'`)]*/i,
    why: "the address of a package registry",
  },
  { pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, why: "unfinished work", where: /\/src\// },
  {
    pattern: /\bvi\.wait(?:For|Until)\(/,
    why: "a wait that fails on a busy machine; use waitFor of test/waiting/wait-for.ts",
    where: testFiles,
  },
  {
    pattern: /(?:(?<=\{ )|^\s*)timeout: [\d_]+(?=,?\s|$)|^\s*\}, \d+_000\);$|^\s*\d+_000,\n\s*\);$/m,
    why: "a limit that fails on a busy machine; all tests have the one of vitest.config.ts",
    where: testFiles,
  },
  {
    pattern: /\bURL\.canParse\(/,
    why: "a call that refuses valid addresses once it was made often (Node 20); use parseUrl of @tillkit/client",
  },
  { pattern: /\b(?:vi|jest)\.mock\(/, why: "a module mock; pass the port instead", where: /\/test\// },
];

/** Checks for texts that no file may contain and for files that are too long. */
export function textViolations(workspace: Workspace): readonly string[] {
  return [...workspace].flatMap(([path, text]) => [...forbiddenIn(path, text), ...tooLong(path, text)]);
}

function forbiddenIn(path: string, text: string): readonly string[] {
  return forbiddenWords.flatMap(({ pattern, why, where }) => {
    const found = where === undefined || where.test(path) ? pattern.exec(text) : null;
    if (!found) return [];
    const line = text.slice(0, found.index).split("\n").length;
    return [`${path}:${line} contains ${why}: ${found[0]}`];
  });
}

function tooLong(path: string, text: string): readonly string[] {
  const lines = text.split("\n").length - 1;
  const most = /\.m?tsx?$/.test(path) ? maxLines.find((limit) => limit.path.test(path))?.lines : undefined;
  return most !== undefined && lines > most ? [`${path} has ${lines} lines; at most ${most}.`] : [];
}
