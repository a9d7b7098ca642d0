import { findViolations } from "@tillkit/testkit/simulator";
import { gather } from "./gather.ts";
import { type Shopping, STRIDE_MS } from "./shopping.ts";
import type { Crew } from "./till-process.ts";
import type { World } from "./world.ts";

/** What a case showed. */
export type Verdict = { readonly broken: readonly string[]; readonly kills: number; readonly checkouts: number };

/** The longest that a paid order may take on the reconcile path, and a little. */
const LONG_AFTER_MS = 15 * 60_000;

/** Time is moved in strides, so each of the few waits that follow one another ends up to one stride late. */
const STRIDES_MS = 3 * STRIDE_MS;

/** Lets everything come to rest and looks at what is left: in the shops, at the service and in the ledger. */
export async function judgeWorld(world: World, shopping: Shopping, crew: Crew): Promise<Verdict> {
  const calmSince = world.clock.now();
  await shopping.settle(LONG_AFTER_MS);
  await world.jump(LONG_AFTER_MS);
  const evidence = await gather(world, shopping, calmSince + STRIDES_MS, crew.takePrinted());
  const broken = findViolations(evidence).map(({ invariant, reason }) => `${invariant}: ${reason}`);
  return { broken, kills: world.kills(), checkouts: shopping.orders.length };
}
