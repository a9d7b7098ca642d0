/** A part of the programme that proves the promise: many cases of one kind, each of which may break it. */
export type Tier = {
  readonly id: "T1" | "T2" | "T3" | "T4" | "T5" | "T6" | "T7" | "T8" | "T9";
  /** What holds, in the merchant's words. */
  readonly title: string;
  /** Of the full run. */
  readonly cases: number;
  /** That `npm test` runs. */
  readonly quick: number;
  /** Cases that one slice takes at most: progress, sharing out and going on after an interruption go by slices. */
  readonly slice: number;
  /** Must not run beside another slice: it measures time, or needs the whole machine. */
  readonly alone: boolean;
  /** It only computes: its slices run in a program made for speed, `run-bundled-slice.ts`. */
  readonly bundled?: true;
  run(slice: Slice): Promise<Outcome>;
};

/** Cases from (included) … to (excluded). A case is decided by seed and number alone, wherever that is possible. */
export type Slice = { readonly seed: number; readonly from: number; readonly to: number };

export type Outcome = {
  readonly cases: number;
  readonly violations: readonly Violation[];
  /** Added up over the slices; one whose name ends in ` ms` or ` MB` keeps the greatest instead. */
  readonly figures?: Readonly<Record<string, number>>;
};

/** A broken promise: which case, why, and the command that repeats it. */
export type Violation = { readonly case: number; readonly why: string; readonly again: string };

/** The command that runs one case alone. */
export function repeatCommand(tier: Tier["id"], seed: number, number: number): string {
  return `npm run prove -- --tier ${tier} --seed ${seed} --case ${number}`;
}
