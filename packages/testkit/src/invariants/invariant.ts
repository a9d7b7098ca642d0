import type { Evidence } from "./evidence.ts";

/** A promise that was broken, and how. */
export type Violation = { readonly invariant: InvariantId; readonly reason: string };

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
  | "R6";

export type Invariant = {
  readonly id: InvariantId;
  /** What always holds, in the merchant's words. */
  readonly title: string;
  /** One sentence for each time it did not. */
  findViolations(evidence: Evidence): readonly string[];
};
