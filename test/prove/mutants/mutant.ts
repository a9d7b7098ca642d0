/** A safety of the engine that is taken away on purpose, to see that the programme notices. */
export type Mutant = {
  readonly id: string;
  /** What the merchant loses by it, in one sentence. */
  readonly breaks: string;
  readonly edits: readonly Edit[];
};

/** `find` stands in the file exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string };

/** Files of core's source, by the names that edits are written with. */
export function coreFile(name: string): string {
  return `packages/core/src/${name}.ts`;
}

/** A mutant of one place. `replace` is empty where a line is simply dropped. */
export function mutant(id: string, breaks: string, file: string, find: string, replace = ""): Mutant {
  return { id, breaks, edits: [{ file: coreFile(file), find, replace }] };
}
