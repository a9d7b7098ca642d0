import { type KeptJob, onlyWaited } from "@tillkit/core";
import { hostLimits } from "./limits.ts";

/** Goes on by itself and has failed for about ten minutes. What only waits for its turn, or for the money, is no failure. */
export function failsForLong({ attempts, error }: KeptJob): boolean {
  return attempts >= hostLimits.failingTries && error !== null && !onlyWaited(error) && !error.startsWith("pending:");
}
