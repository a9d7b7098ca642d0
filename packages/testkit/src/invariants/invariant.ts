import type { Evidence } from "./evidence.ts";

/** A violated invariant and a sentence that describes the violation. */
export type Violation = { readonly invariant: InvariantId; readonly reason: string };

/** The number of an invariant: I for payments, calls and secrets, R for refunds, later payments and decisions of owners. */
export type InvariantId =
  | "I1"
  | "I2"
  | "I3"
  | "I4"
  | "I5"
  | "I6"
  | "I7"
  | "I8"
  | "I9"
  | "R1"
  | "R2"
  | "R3"
  | "R4"
  | "R5"
  | "R6"
  | "R7";

export type Invariant = {
  readonly id: InvariantId;
  /** The invariant in one sentence. */
  readonly title: string;
  /** Returns one sentence per violation. */
  findViolations(evidence: Evidence): readonly string[];
};
