import { readFileSync } from "node:fs";
import { explore, formatDeviations, parseDeviations, replay, type Scenario } from "@tillkit/testkit/explorer";
import { describe, expect, it } from "vitest";
import { scenarios } from "./explorer/scenarios.ts";
import type { SearchRequest, SearchResult } from "./explorer/search-schedules.ts";
import { searchWithMutant } from "./explorer/search-with-mutant.ts";
import { allMutants } from "./mutants/all-mutants.ts";
import { isOutsideCore } from "./mutants/mutant.ts";
import { testQuickShareOf } from "./quick-share.ts";
import { schedules } from "./tiers/schedules.ts";

testQuickShareOf(schedules);

const CANCELS = "success-and-owner-cancels/read-then-write";
const REFUNDS = "success-and-owner-refunds/read-then-write";

/** The faces of a write that is under way (packages/core/decisions/040), each with the repair that holds it back taken away. */
describe("the search of schedules", () => {
  it.each([
    ["a shop that works on our request while its owner cancels", CANCELS, "under-way-judged", "works"],
    [
      "a request of a dead process that the shop finishes after its owner has cancelled",
      CANCELS,
      "under-way-judged",
      "works-alone",
    ],
    ["cash that the owner takes during our request", "success-and-cash/read-then-write", "under-way-judged", "works"],
    ["a payment that its order shows and the ledger does not", REFUNDS, "never-compared", ""],
    ["a refund by the owner during our request", REFUNDS, "under-way-refunded", "works"],
    [
      "a refund while a store that refuses stale writes gets ours late",
      "success-and-owner-refunds/write-only",
      "late-write-unawaited",
      "",
    ],
  ])("finds %s within seconds once the repair is taken away", async (_face, scenario, id, fault) => {
    const { found, cpuMs } = await searchMutant(scenario, id);
    const faults = found.map(({ story }) => story.filter((line) => line.includes("✗")).join());
    expect(faults.some((line) => line.includes(fault))).toBe(true);
    expect(found.every(({ deviations }) => deviations.length <= 2)).toBe(true);
    // Processor time: a busy machine finds it later.
    expect(cpuMs).toBeLessThan(5_000);
  });

  it("plays the same schedule again from one line, and tells its steps", async () => {
    const scenario = scenarioOf("webhook-and-return/read-then-write");
    const deviations = parseDeviations("3.2,10.1");
    const [first, second] = [await replay(scenario, deviations), await replay(scenario, deviations)];
    expect(formatDeviations(deviations)).toBe("3.2,10.1");
    expect(first.story).toEqual(second.story);
    expect(first.story.some((line) => line.includes("✗"))).toBe(true);
  });

  it("counts the same schedules and states each time", async () => {
    const counts = async () => {
      const {
        schedules: tried,
        states,
        isComplete,
      } = await explore(scenarioOf("webhook-twice/read-then-write"), {
        bound: { preemptions: 1, faults: 0 },
      });
      return { tried, states, isComplete };
    };
    const first = await counts();
    expect(first).toEqual(await counts());
    expect(first).toMatchObject({ isComplete: true });
    expect(first.tried).toBeGreaterThan(20);
  });

  // T11 runs bundled. A simulator that does not find its files there would refuse everything, and no order would ever be paid.
  it.each([
    "webhook-and-return/shopify-order",
    "webhook-and-return/shopify-offsite",
    "webhook-and-return/woocommerce-rest",
  ])("finds as many states of %s in its bundle as in its sources", async (name) => {
    const bound = { preemptions: 0, faults: 0 };
    const request = { bounds: [bound], only: [name], maxMs: Number.MAX_SAFE_INTEGER, maxFound: 1 };
    const [bundled] = await searchWithMutant(null, request);
    const { schedules: tried, states } = await explore(scenarioOf(name), { bound });
    expect(bundled).toMatchObject({ schedules: tried, states, isComplete: true });
    expect(states).toBeGreaterThan(30);
  });

  it("was tried without each safety of the engine, and stored what became of it", () => {
    const tried = JSON.parse(readFileSync(new URL("explorer/reached.json", import.meta.url), "utf8"));
    const ofEngine = allMutants.filter((mutant) => !isOutsideCore(mutant)).map(({ id }) => id);
    const taken = Object.keys(tried).flatMap((ids) => ids.split("+"));
    expect(ofEngine.filter((id) => !Object.hasOwn(tried, id))).toEqual([]);
    expect(taken.filter((id) => !ofEngine.includes(id))).toEqual([]);
  });

  it("tries at least 24 scenarios with different names", () => {
    const names = scenarios.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names.map((name) => name.split("/")[0])).size).toBeGreaterThanOrEqual(24);
  });
});

function scenarioOf(name: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name);
  if (!scenario) throw new Error(`There is no scenario ${name}.`);
  return scenario;
}

async function searchMutant(scenario: string, id: string): Promise<SearchResult> {
  const mutant = allMutants.find((candidate) => candidate.id === id);
  if (!mutant) throw new Error(`There is no mutant ${id}.`);
  const request: SearchRequest = {
    bounds: [{ preemptions: 0, faults: 1 }],
    only: [scenario],
    maxMs: Number.MAX_SAFE_INTEGER,
    maxFound: Number.MAX_SAFE_INTEGER,
  };
  const [result] = await searchWithMutant(mutant, request);
  if (!result) throw new Error(`There is no scenario ${scenario}.`);
  return result;
}
