/** What resolvers read that do not know `exports`, such as TypeScript's `node10`. */
export type OlderResolverFields = {
  readonly main?: string;
  readonly types?: string;
  /** `webhooks` → the declarations of the entry `./webhooks`. */
  readonly typesVersions?: { readonly "*": Readonly<Record<string, readonly [string]>> };
};

/**
 * The same entries as `exports`, for older resolvers, in CommonJS: they belong to projects that compile to CommonJS. Entries without
 * declarations and patterns are left out.
 */
export function olderResolverFields(exports: Readonly<Record<string, unknown>> = {}): OlderResolverFields {
  const entries = Object.entries(exports).map(
    ([subpath, target]) => [subpath.replace(/^\.\/?/, ""), required(target)] as const,
  );
  const [, root] = entries.find(([name]) => name === "") ?? [];
  const typed = entries.flatMap(([name, { types }]) =>
    name === "" || types === undefined ? [] : [[name, [types]] as const],
  );
  return {
    ...(root?.default === undefined ? {} : { main: root.default }),
    ...(root?.types === undefined ? {} : { types: root.types }),
    ...(typed.length === 0 ? {} : { typesVersions: { "*": Object.fromEntries(typed) } }),
  };
}

type Target = { readonly types?: string; readonly default?: string };

/** What `require` gets of an entry, which has one target for each kind of module or one for both. */
function required(target: unknown): Target {
  if (typeof target !== "object" || target === null) return {};
  return "require" in target ? (target.require as Target) : (target as Target);
}
