import ts from "typescript";

export type Import = { readonly specifier: string; readonly names: readonly string[]; readonly isReExport: boolean };

/** One TypeScript file of the workspace, as far as the architecture is concerned. */
export type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** `Date.now`, `setTimeout`, `new Date()`: what reaches for the world around the program. */
  readonly touches: readonly string[];
};

export function readSourceFile(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const touches: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found) imports.push(found);
    const touch = touchOf(node);
    if (touch) touches.push(touch);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, text, imports, touches };
}

function importOf(node: ts.Node): Import | null {
  if (ts.isImportDeclaration(node)) return importFrom(node.moduleSpecifier, importedNames(node), false);
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const clause = node.exportClause;
    const names =
      clause && ts.isNamedExports(clause) ? clause.elements.map((one) => (one.propertyName ?? one.name).text) : ["*"];
    return importFrom(node.moduleSpecifier, names, true);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return importFrom(node.argument.literal, ["*"], false);
  if (ts.isExternalModuleReference(node)) return importFrom(node.expression, ["*"], false);
  if (ts.isCallExpression(node) && loadsModule(node.expression)) return importFrom(node.arguments[0], ["*"], false);
  return null;
}

function importFrom(specifier: ts.Node | undefined, names: readonly string[], isReExport: boolean): Import | null {
  return specifier && ts.isStringLiteralLike(specifier) ? { specifier: specifier.text, names, isReExport } : null;
}

function importedNames(node: ts.ImportDeclaration): readonly string[] {
  const bindings = node.importClause?.namedBindings;
  const named =
    bindings && ts.isNamedImports(bindings) ? bindings.elements.map((one) => (one.propertyName ?? one.name).text) : [];
  return node.importClause?.name || (bindings && ts.isNamespaceImport(bindings)) ? [...named, "*"] : named;
}

/** `import("x")`, `require("x")`, `require.resolve("x")`. */
function loadsModule(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  const name = callee.getText();
  return name === "require" || name === "require.resolve";
}

const worldlyNames = new Set([
  "setTimeout",
  "setInterval",
  "setImmediate",
  "fetch",
  "process",
  "console",
  "performance",
]);
const worldlyMembers = new Set([
  "Date.now",
  "Math.random",
  "AbortSignal.timeout",
  "crypto.randomUUID",
  "crypto.getRandomValues",
]);

function touchOf(node: ts.Node): string | null {
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) return "new Date()";
  if (ts.isPropertyAccessExpression(node)) {
    const member = node.getText().replace(/^globalThis\./, "");
    return worldlyMembers.has(member) ? member : null;
  }
  if (!ts.isIdentifier(node) || !worldlyNames.has(node.text)) return null;
  return isOwnName(node) ? null : node.text;
}

/** `clock.setTimeout`, `{ fetch: … }` and a parameter called `process` are names of our own. */
function isOwnName(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent))
    return parent.name === node && parent.expression.getText() !== "globalThis";
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return true;
  return "name" in parent && parent.name === node;
}
