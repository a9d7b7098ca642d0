import ts from "typescript";

export type Import = {
  readonly specifier: string;
  readonly names: readonly string[];
  readonly isReExport: boolean;
  /** A type import does not exist at run time. */
  readonly isType: boolean;
};

/** One TypeScript file of the workspace, with the parts that the architecture rules check. */
export type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** The used globals that depend on the outside world: `Date.now`, `setTimeout`, `new Date()`. */
  readonly globals: readonly string[];
};

export function readSourceFile(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const globals: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found) imports.push(found);
    const name = globalOf(node);
    if (name) globals.push(name);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, text, imports, globals };
}

function importOf(node: ts.Node): Import | null {
  if (ts.isImportDeclaration(node)) {
    const isType = node.importClause?.isTypeOnly ?? false;
    return importFrom(node.moduleSpecifier, { names: importedNames(node), isType });
  }
  if (ts.isExportDeclaration(node)) {
    return importFrom(node.moduleSpecifier, { names: exportedNames(node), isReExport: true, isType: node.isTypeOnly });
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return importFrom(node.argument.literal, { isType: true });
  }
  if (ts.isExternalModuleReference(node)) return importFrom(node.expression, {});
  if (ts.isCallExpression(node) && loadsModule(node.expression)) return importFrom(node.arguments[0], {});
  return null;
}

function importFrom(specifier: ts.Node | undefined, known: Partial<Import>): Import | null {
  if (!specifier || !ts.isStringLiteralLike(specifier)) return null;
  return { names: ["*"], isReExport: false, isType: false, ...known, specifier: specifier.text };
}

function exportedNames({ exportClause }: ts.ExportDeclaration): readonly string[] {
  if (!exportClause || !ts.isNamedExports(exportClause)) return ["*"];
  return exportClause.elements.map((element) => (element.propertyName ?? element.name).text);
}

function importedNames(node: ts.ImportDeclaration): readonly string[] {
  const bindings = node.importClause?.namedBindings;
  const named =
    bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
      : [];
  return node.importClause?.name || (bindings && ts.isNamespaceImport(bindings)) ? [...named, "*"] : named;
}

/** `import("x")`, `require("x")`, `require.resolve("x")`. */
function loadsModule(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  const name = callee.getText();
  return name === "require" || name === "require.resolve";
}

const outsideNames = new Set([
  "setTimeout",
  "setInterval",
  "setImmediate",
  "fetch",
  "process",
  "console",
  "performance",
]);
const outsideMembers = new Set([
  "Date.now",
  "Math.random",
  "AbortSignal.timeout",
  "crypto.randomUUID",
  "crypto.getRandomValues",
]);

function globalOf(node: ts.Node): string | null {
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) return "new Date()";
  if (ts.isPropertyAccessExpression(node)) {
    const member = node.getText().replace(/^globalThis\./, "");
    return outsideMembers.has(member) ? member : null;
  }
  if (!ts.isIdentifier(node) || !outsideNames.has(node.text)) return null;
  return isOwnName(node) ? null : node.text;
}

/** `clock.setTimeout`, `{ fetch: … }` and a parameter called `process` are our own names, not the globals. */
function isOwnName(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent))
    return parent.name === node && parent.expression.getText() !== "globalThis";
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return true;
  return "name" in parent && parent.name === node;
}
