import { readFileSync } from "node:fs";
import ts from "typescript";

/** The functions of a file that ran, by name. */
export type Ran = { readonly file: string; readonly names: readonly string[] };

/** The amount of a row, an event or a request, whose money is no `Money` yet. */
const AMOUNT = /^minor$|amount|^gross$/i;

/**
 * The shapes that an amount of money takes on a way: the named types of ours, made of data alone and with an amount among their own properties, that the
 * functions which ran take or return, also inside a promise, a list or a union. A type with a function in it is a port or a context, and no
 * shape of a value.
 */
export function shapesOf(root: string, ran: readonly Ran[]): readonly string[] {
  const options = configOf(root);
  const program = ts.createProgram(
    ran.map(({ file }) => `${root}/${file}`),
    options,
  );
  const checker = program.getTypeChecker();
  const shapes = new Set<string>();
  const seen = new Set<ts.Type>();
  for (const { file, names } of ran) {
    const source = program.getSourceFile(`${root}/${file}`);
    if (source) visit(source, new Set(names));
  }
  return [...shapes].toSorted();

  function visit(node: ts.Node, names: ReadonlySet<string>): void {
    if (ts.isFunctionLike(node) && names.has(nameOf(node))) {
      const signature = checker.getSignatureFromDeclaration(node as ts.SignatureDeclaration);
      if (signature) {
        for (const parameter of signature.getParameters()) collect(checker.getTypeOfSymbolAtLocation(parameter, node));
        collect(signature.getReturnType());
      }
    }
    ts.forEachChild(node, (child) => visit(child, names));
  }

  function collect(type: ts.Type): void {
    if (seen.has(type)) return;
    seen.add(type);
    const symbol = type.aliasSymbol ?? type.getSymbol();
    for (const inner of [...(type.aliasTypeArguments ?? []), ...checker.getTypeArguments(type as ts.TypeReference)])
      collect(inner);
    if (isShape(type, symbol)) shapes.add(symbol.getName());
    else if (type.isUnion()) for (const part of type.types) collect(part);
  }

  function isShape(type: ts.Type, symbol: ts.Symbol | undefined): symbol is ts.Symbol {
    const declaration = symbol?.declarations?.[0];
    if (!declaration || !/packages\/[a-z]+\/src\//.test(declaration.getSourceFile().fileName)) return false;
    if (!ts.isTypeAliasDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return false;
    const parts = type.isUnion() ? type.types : [type];
    const records = parts.filter((part) => part.flags & ts.TypeFlags.Object);
    return records.every((part) => isData(part, declaration)) && records.some((part) => hasAmount(part, declaration));
  }

  function isData(type: ts.Type, at: ts.Node): boolean {
    if (type.getCallSignatures().length > 0) return false;
    const values = type.getProperties().map((property) => checker.getTypeOfSymbolAtLocation(property, at));
    return values.every((value) => value.getNonNullableType().getCallSignatures().length === 0);
  }

  function hasAmount(type: ts.Type, at: ts.Node): boolean {
    return type.getProperties().some((property) => {
      const value = checker.getTypeOfSymbolAtLocation(property, at).getNonNullableType();
      return AMOUNT.test(property.getName()) || value.aliasSymbol?.getName() === "Money";
    });
  }
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : "";
}

function configOf(root: string): ts.CompilerOptions {
  const { config } = ts.parseConfigFileTextToJson("tsconfig.json", readFileSync(`${root}/tsconfig.json`, "utf8"));
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}
