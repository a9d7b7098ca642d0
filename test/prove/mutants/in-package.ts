import type { Mutant } from "./mutant.ts";

export type PackageMutant = {
  readonly id: string;
  readonly breaks: string;
  /** Below the package's folder of source. */
  readonly file: string;
  readonly find: string;
  /** Left out where a line is simply dropped. */
  readonly replace?: string;
  /** The test that notices it: its file below the package's tests, and its title. */
  readonly test: string;
  readonly title: string;
};

/** Mutants of a package that its own unit tests notice; `source` is the folder, below the package, that files are named from. */
export function inPackage(name: string, source = "src"): (mutant: PackageMutant) => Mutant {
  return ({ id, breaks, file, find, replace = "", test, title }) => ({
    id,
    breaks,
    edits: [{ file: `packages/${name}/${source}/${file}`, find, replace }],
    noticedBy: { file: `packages/${name}/test/${test}.test.ts`, title },
  });
}
