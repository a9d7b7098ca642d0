/** A deliberate fault in the source, which a test or a tier must notice. */
export type Mutant = {
  readonly id: string;
  /** The merchant's loss, in one sentence. */
  readonly breaks: string;
  readonly edits: readonly Edit[];
  /** The test that fails with this mutant. If it is set, the tiers run only if `violatesInvariant` is set too. */
  readonly noticedBy?: NamedTest;
  /** The mutant violates an invariant. The tiers run first, and the test `noticedBy` only if they notice nothing. */
  readonly violatesInvariant?: true;
};

/** `find` occurs in the file exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string };

/** A test of the project `unit`: its file and its title, without the titles of its `describe` blocks. */
export type NamedTest = { readonly file: string; readonly title: string };

/** Returns the path of a file in core's source, such as `domain/judge`. */
export function coreFile(name: string): string {
  return `packages/core/src/${name}.ts`;
}

/** A mutant with one edit in core that violates an invariant. Without `replace` it removes `find`. */
export function mutant(id: string, breaks: string, file: string, find: string, replace = ""): Mutant {
  return { id, breaks, edits: [{ file: coreFile(file), find, replace }] };
}

/** Marks a mutant that this unit test notices and the tiers do not. */
export function onlyBy(file: string, title: string, unseen: Mutant): Mutant {
  return { ...unseen, noticedBy: { file, title } };
}

/** Marks a mutant of an invariant that this unit test always notices and the tiers only in one of thousands of cases. */
export function alsoBy(file: string, title: string, rare: Mutant): Mutant {
  return { ...rare, noticedBy: { file, title }, violatesInvariant: true };
}

/** Returns whether a tier must notice the mutant, because it names no test or violates an invariant. */
export function isForTiers({ noticedBy, violatesInvariant }: Mutant): boolean {
  return noticedBy === undefined || violatesInvariant === true;
}

export function isOutsideCore({ edits }: Mutant): boolean {
  return edits.every(({ file }) => !file.startsWith("packages/core/"));
}
