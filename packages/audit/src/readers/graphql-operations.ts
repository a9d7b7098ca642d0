/**
 * The kind of each operation of a GraphQL document: `query`, `mutation`, `subscription`. Null when it is no document. Fragments are
 * left out: they run only as a part of an operation.
 */
export function operationsOf(document: string): readonly string[] | null {
  const tokens = [...document.matchAll(TOKENS)].map(([token]) => token).filter((token) => !/^["#]/.test(token));
  const kinds: string[] = [];
  let depth = 0;
  let isInDefinition = false;
  for (const token of tokens) {
    if (!isInDefinition && !DEFINITIONS.has(token)) return null;
    if (!isInDefinition) kinds.push(token === "{" ? "query" : token);
    depth += STEPS.get(token) ?? 0;
    isInDefinition = depth > 0 || token !== "}";
  }
  return isInDefinition || depth !== 0 ? null : kinds.filter((kind) => kind !== "fragment");
}

/** Block strings, strings, comments, words, brackets. Everything else means nothing here. */
const TOKENS = /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*|[_A-Za-z]\w*|[{}()[\]]/g;
const STEPS = new Map(
  [..."{(["].map((sign): [string, number] => [sign, 1]).concat([..."})]"].map((sign): [string, number] => [sign, -1])),
);
const DEFINITIONS = new Set(["query", "mutation", "subscription", "fragment", "{"]);
