import { limits } from "../domain/limits.ts";
import type { Engine } from "../engine.ts";

/**
 * Whether the reason of a decision still exists, by a reading that is fresh: asked right before the commit of the decision. A process may sleep
 * for hours between the two, and its reading would be as old.
 */
export async function appliesStill(
  { clock }: Pick<Engine, "clock">,
  stillApplies: (() => Promise<boolean>) | undefined,
): Promise<boolean> {
  if (stillApplies === undefined) return true;
  const askedAt = clock.now();
  return (await stillApplies()) && Math.abs(clock.now() - askedAt) <= limits.decisionReadMs;
}
