import type { Mutant } from "./mutant.ts";

export type PackageMutant = {
  readonly id: string;
  readonly breaks: string;
  /** The changed file, below the package's source folder. */
  readonly file: string;
  readonly find: string;
  /** Missing if the mutant only removes `find`. */
  readonly replace?: string;
  /** The file, below the package's tests, of the test that notices the mutant. `title` is the test's title. */
  readonly test: string;
  readonly title: string;
};

/**
 * Makes mutants that unit tests notice: the package's own, or those of the package `testsIn`. `source` is the package's source folder.
 */
export function inPackage(name: string, source = "src", testsIn = name): (mutant: PackageMutant) => Mutant {
  return ({ id, breaks, file, find, replace = "", test, title }) => ({
    id,
    breaks,
    edits: [{ file: `packages/${name}/${source}/${file}`, find, replace }],
    noticedBy: { file: `packages/${testsIn}/test/${test}.test.ts`, title },
  });
}
