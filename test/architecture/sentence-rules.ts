import ts from "typescript";
import type { Workspace } from "./workspace.ts";

/** What a shop runs, and the examples that people copy. The contracts of `testkit` are tests. */
const productFiles =
  /^(?:packages\/(?!docs\/)[^/]+\/(?:src|dashboard|extensions|php|wordpress-plugin\/tillkit-checkout)|examples\/[^/]+\/src)\/(?!.*-contract\/).*\.(?:tsx?|jsx?|mjs|php)$/;

/** The rooms that make sentences. */
const textRooms = /\/(?:texts|languages)\/|(?:texts?|messages|english|french)\.\w+$/;

/** Files that read a sentence because nobody says the fact in another way. */
const withoutFacts: ReadonlyMap<string, string> = new Map([
  ["packages/client/src/errors/member-account-problem.ts", "the service refuses these requests without a code"],
  ["packages/core/src/domain/stored-finding.ts", "the first versions stored findings as texts"],
  ["packages/sql/src/postgres/postgres-errors.ts", "the driver reports these failures without a code"],
]);

const why = "facts are data, and a sentence is made last: compare a code or a field";

/** Checks that no code outside the text rooms compares, splits, cuts or looks up a sentence. */
export function sentenceViolations(workspace: Workspace): readonly string[] {
  const found = [...workspace]
    .filter(([path]) => productFiles.test(path) && !textRooms.test(path))
    .map(([path, text]) => ({ path, places: path.endsWith(".php") ? placesInPhp(text) : placesInScript(path, text) }));
  const read = found.filter(({ places }) => places.length > 0);
  return [
    ...read
      .filter(({ path }) => !withoutFacts.has(path))
      .flatMap(({ path, places }) =>
        places.map(({ line, code }) => `${path}:${line} reads a sentence: ${code}; ${why}.`),
      ),
    ...[...withoutFacts.keys()]
      .filter((path) => workspace.has(path) && !read.some((file) => file.path === path))
      .map(
        (path) => `${path} reads no sentence any more: delete it from the list of test/architecture/sentence-rules.ts.`,
      ),
  ];
}

type Place = { readonly line: number; readonly code: string };

/** Two words, the second in lower case, and no part of a tag, a type's name or a path. */
const words = /(?<![\w<[/.-])[A-Za-zÀ-ÿ’]{2,} [a-zà-ÿ’]{2,}/;
/** Names of values that are sentences, and of functions that make one. */
const sentenceNames = /^(?:detail|headline|sentence|message|\w+Message)$/;
const sentenceMakers = /^(?:explain[A-Z]\w*|messageOf|safeReason|formatJobError)$/;

const readers = new Set([
  ...["includes", "startsWith", "endsWith", "indexOf", "lastIndexOf", "search", "match", "matchAll", "localeCompare"],
  ...["split", "slice", "substring", "substr", "charAt", "replace", "replaceAll"],
]);
const lookUps = new Set(["get", "has", "test", "exec"]);
const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function placesInScript(path: string, text: string): readonly Place[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places: Place[] = [];
  const visit = (node: ts.Node): void => {
    if (readsSentence(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      places.push({ line: line + 1, code: node.getText().replaceAll(/\s+/g, " ").slice(0, 100) });
    } else ts.forEachChild(node, visit);
  };
  visit(tree);
  return places;
}

function readsSentence(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node)) return words.test(node.text.replaceAll(/\\s[+*]?/g, " "));
  if (ts.isCaseClause(node)) return isSentence(node.expression);
  if (ts.isSwitchStatement(node)) return isSentence(node.expression);
  if (ts.isElementAccessExpression(node)) return isSentence(node.argumentExpression);
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    return comparisons.has(operatorToken.kind) && !isAboutAbsence(left, right) && [left, right].some(isSentence);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: subject, name } = node.expression;
  const [argument] = node.arguments;
  if (lookUps.has(name.text)) return argument !== undefined && isNamedSentence(argument);
  return readers.has(name.text) && (isNamedSentence(subject) || (argument !== undefined && isSentence(argument)));
}

/** Whether a value is there, or has a type, is no question about its words. */
function isAboutAbsence(left: ts.Expression, right: ts.Expression): boolean {
  return ts.isTypeOfExpression(left) || ["null", "undefined", '""'].includes(right.getText());
}

function isSentence(node: ts.Expression): boolean {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return isText ? words.test(node.getText()) : isNamedSentence(node);
}

function isNamedSentence(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return sentenceNames.test(node.text);
  if (ts.isPropertyAccessExpression(node)) return sentenceNames.test(node.name.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isAwaitExpression(node))
    return isNamedSentence(node.expression);
  if (ts.isBinaryExpression(node)) return isNamedSentence(node.left);
  if (!ts.isCallExpression(node)) return false;
  const { expression: callee, arguments: values } = node;
  // `message.trim()` is still a sentence.
  if (ts.isPropertyAccessExpression(callee)) return isNamedSentence(callee.expression);
  if (!ts.isIdentifier(callee)) return false;
  return sentenceMakers.test(callee.text) || (callee.text === "String" && values.some(isNamedSentence));
}

const phpText = String.raw`(?:\$(?:message|sentence|headline|detail)\b|\$\w+->get_error_message\(\)|\b__\([^)]*\)|'[^']*[a-z]{2,} [a-z]{2,}[^']*')`;
const phpReading = new RegExp(
  [
    `${phpText} *[!=]==?(?! *(?:null|''))`,
    `(?<![!=]|null |'' )[!=]==? *${phpText}(?! *\\.)`,
    `\\bcase ${phpText}`,
    String.raw`\[ *\$(?:message|sentence|headline|detail) *\]`,
    `\\b(?:str_contains|str_starts_with|str_ends_with|str_replace|stri?pos|strstr|substr|explode|preg_\\w+|in_array|array_key_exists)\\( *[^;]*?${phpText}`,
  ].join("|"),
  "i",
);

function placesInPhp(text: string): readonly Place[] {
  return text
    .split("\n")
    .map((code, index) => ({ line: index + 1, code: code.trim() }))
    .filter(({ code }) => !/^(?:\/?\*|\/\/)/.test(code) && phpReading.test(code));
}
