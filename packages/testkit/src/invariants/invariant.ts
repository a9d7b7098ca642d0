import type { Evidence } from "./evidence.ts";

/** A violated invariant and a sentence that describes the violation. */
export type Violation = { readonly invariant: InvariantId; readonly reason: string };

/**
 * The id of an invariant. I1 to I9 are about payments, calls and secrets. The R invariants began with refunds (R1 to R3); R4, about
 * paying an order again after a failed payment, and R5 to R7, about decisions of owners, continue their numbers. The M invariants are
 * about money: whose it is, how much of it is left, and what a ledger must remember of it.
 */
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
  | "R7"
  | "M1"
  | "M2"
  | "M3"
  | "M4"
  | "M5"
  | "M6";

export type Invariant = {
  readonly id: InvariantId;
  /** The invariant in one sentence. */
  readonly title: string;
  /** Returns one sentence per violation. */
  findViolations(evidence: Evidence): readonly string[];
};
