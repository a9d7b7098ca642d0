import { runSimulation } from "@tillkit/testkit/simulator";
import { expect, it } from "vitest";
import { testQuickShareOf } from "./quick-share.ts";
import { caseOf, simulation } from "./tiers/simulation.ts";

testQuickShareOf(simulation);

/**
 * Cases that once violated an invariant, in order: a refund that was rejected; an edit that was undone; a platform with its own
 * retry schedule; two concurrent openings of one session; an event without identifiers while a session that was opened after the
 * faults is open (three times); a shopper who starts again because no answer came; a shop that was down during a write for a
 * payment that was refunded later (twice); two processes of which one does not know the newest key; a process that died during a
 * write to a platform with its own schedule (twice); a payment that was verified repeatedly while its shop was down; an
 * incomplete answer that was used again; a process that paused between the checks of a refund and its commit (twice), before its
 * first send (twice) or before an automatic refund while the owner decided (twice); an attempt that the shop rejected while the
 * order stayed open (twice); a first payment refunded before its shop was written to while a second had arrived; a refund that
 * was found before its payment, whose session names a declined attempt (twice); a refund in a shop that shows a payment that
 * was refunded before; a duplicate that counted after its shop refused the first payment, while the service did not show it.
 */
it.each([
  [1, 2_270],
  [1, 2_322],
  [1, 8_343],
  [1, 40_526],
  [1, 406_499],
  [1, 501_674],
  [1, 715_257],
  [10, 13_833],
  [10, 24_769],
  [10, 26_184],
  [10, 15_360],
  [10, 50_855],
  [10, 52_385],
  [14, 7_971],
  [1, 50_513],
  [1, 59_355],
  [1, 69_138],
  [1, 110_106],
  [1, 52_630],
  [1, 73_864],
  [1, 607_757],
  [1, 621],
  [1, 2_568],
  [1, 10_995],
  [1, 39_588],
  [1, 113_803],
  [1, 56_480],
  [1, 279_010],
  [1, 295_447],
  [1, 761_260],
  [1, 765_248],
  [1, 826_431],
  [1, 96_903],
  [1, 511_378],
  [2, 3_735],
])("the simulation of seed %i, case %i violates no invariant any more", async (seed, number) => {
  expect((await runSimulation(caseOf(seed, number))).violations).toEqual([]);
});
