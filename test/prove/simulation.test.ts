import { runSimulation } from "@tillkit/testkit/simulator";
import { expect, it } from "vitest";
import { quickShare } from "./quick-share.ts";
import { caseOf, simulation } from "./tiers/simulation.ts";

quickShare(simulation);

/**
 * A refund that was asked for and refused, an edit that came back, a platform's own schedule, two who open one page.
 * An event that names nothing while a session opened after the storm lives (three times), a shopper who presses pay again
 * because nobody answered, a shop that was down when it was told of a payment that was given back later (twice), two
 * processes of which one does not know the newest key, a process that died while it told a platform with a
 * schedule of its own (twice), a payment verified again and again while its shop was down, an answer that said too little
 * and was used again. Processes that slept: between the checks of a refund and its commit (twice), before its first send
 * (twice), before a refund by rule while the owner decided (twice); a try that its shop refused while the order stayed open (twice).
 * A first payment given back before its shop was told, while a second one had arrived; a refund learned before its payment,
 * whose session names a declined try (twice); a refund in a shop that shows the payment which went back before.
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
  [2, 3_735],
])("seed %i, case %i, which broke once, breaks no more", async (seed, number) => {
  expect((await runSimulation(caseOf(seed, number))).violations).toEqual([]);
});
