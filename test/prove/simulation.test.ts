import { runSimulation } from "@tillkit/testkit";
import { expect, it } from "vitest";
import { quickShare } from "./quick-share.ts";
import { caseOf, simulation } from "./tiers/simulation.ts";

quickShare(simulation);

/** A refund that was asked for and refused, an edit that came back, a platform's own schedule, two who open one page. */
it.each([2_270, 2_322, 501_674])("case %i, which broke once, breaks no more", async (number) => {
  expect((await runSimulation(caseOf(1, number))).broken).toEqual([]);
});
