/** A safety that is taken out of the source on purpose, to see that the proof notices. */
export type Mutant = {
  readonly id: string;
  /** What the merchant loses by it, in one sentence. */
  readonly breaks: string;
  readonly edits: readonly Edit[];
  /** The test that fails under this mutant. With it, the tiers are asked only when `promise` is set. */
  readonly noticedBy?: NamedTest;
  /** It belongs to the promise: the tiers are asked first, and `noticedBy` only when they notice nothing. */
  readonly promise?: true;
};

/** `find` stands in the file exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string };

/** A test of the project `unit`: its file, and its own title without the titles of its groups. */
export type NamedTest = { readonly file: string; readonly title: string };

/** Files of core's source, by the names that edits are written with. */
export function coreFile(name: string): string {
  return `packages/core/src/${name}.ts`;
}

/** A mutant of one place in core that belongs to the promise. `replace` is empty where a line is simply dropped. */
export function mutant(id: string, breaks: string, file: string, find: string, replace = ""): Mutant {
  return { id, breaks, edits: [{ file: coreFile(file), find, replace }] };
}

/** The mutant as one that the tiers do not notice and this unit test does. */
export function onlyBy(file: string, title: string, unseen: Mutant): Mutant {
  return { ...unseen, noticedBy: { file, title } };
}

/** The mutant as one of the promise that the tiers notice only once in thousands of cases, and this unit test always. */
export function alsoBy(file: string, title: string, rare: Mutant): Mutant {
  return { ...rare, noticedBy: { file, title }, promise: true };
}

/** Whether the tiers are expected to notice it: everything does that names no test, and what belongs to the promise. */
export function isForTiers({ noticedBy, promise }: Mutant): boolean {
  return noticedBy === undefined || promise === true;
}

export function isOutsideCore({ edits }: Mutant): boolean {
  return edits.every(({ file }) => !file.startsWith("packages/core/"));
}
