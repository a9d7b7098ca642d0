import type { Violation } from "../invariants/invariant.ts";
import type { Deviation } from "./run-schedule.ts";

/** A schedule that violates an invariant, with as few deviations as were found. */
export type Found = { readonly deviations: readonly Deviation[]; readonly violations: readonly Violation[] };
