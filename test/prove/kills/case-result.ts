import { findViolations } from "@tillkit/testkit/simulator";
import type { KillFixture } from "./fixture.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import type { ProcessPool } from "./server-process.ts";
import { type ShopActions, TIME_STEP_MS } from "./shop-actions.ts";

/** The result of a case. */
export type CaseResult = { readonly violations: readonly string[]; readonly kills: number; readonly checkouts: number };

/** Longer than the timer may take to mark a paid order. */
const SETTLE_MS = 15 * 60_000;

/** Time advances in steps, so each of up to three consecutive waits may end one step late. */
const TIME_STEPS_MS = 3 * TIME_STEP_MS;

/** Waits until everything is at rest and checks the invariants in the shops, at the service and in the ledger. */
export async function checkFixture(
  fixture: KillFixture,
  actions: ShopActions,
  processes: ProcessPool,
): Promise<CaseResult> {
  const calmSince = fixture.clock.now();
  await actions.settle(SETTLE_MS);
  await fixture.advanceTime(SETTLE_MS);
  const evidence = await gatherEvidence(fixture, actions, calmSince + TIME_STEPS_MS, processes.takeOutput());
  const violations = findViolations(evidence).map(({ invariant, reason }) => `${invariant}: ${reason}`);
  return { violations, kills: fixture.kills(), checkouts: actions.orders.length };
}
