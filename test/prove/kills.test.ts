import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASES, QUICK } from "./kills/cases.ts";
import { checkFailpoints, checkShopSteps } from "./kills/check-failpoints.ts";
import { type OpenResources, openResources } from "./kills/resources.ts";
import { repeatCommand } from "./tier.ts";

const SEED = 1;

// The first cases of tier T3, each as a test with its own title.
describe("T3, a quick share: processes that are killed", () => {
  let resources: OpenResources;
  beforeAll(async () => {
    resources = await openResources(2);
  });
  afterAll(() => resources.close());

  for (const [number, killCase] of CASES.slice(0, QUICK).entries()) {
    it(killCase.title, async () => {
      const startedAt = performance.now();
      const { violations, kills, checkouts } = await killCase.run(resources, SEED, number);
      expect({ violations, again: repeatCommand("T3", SEED, number) }).toMatchObject({ violations: [] });
      const seconds = (performance.now() - startedAt) / 1_000;
      console.info(`${checkouts} checkouts and ${kills} kills in ${seconds.toFixed(1)} s (${killCase.title})`);
      expect(kills).toBeGreaterThan(0);
      expect(checkouts).toBeGreaterThan(0);
    });
  }

  it("the failpoints list every step of the write path, so that the full run kills at each of them", async () => {
    const { violations, checkouts } = await checkFailpoints(resources, "sqlite");
    expect(violations).toEqual([]);
    expect(checkouts).toBeGreaterThan(0);
  });

  it("a shop connects, changes its secrets, moves, is copied, leaves and comes back by the steps at which the full run kills", async () => {
    const { violations, checkouts } = await checkShopSteps(resources, "sqlite");
    expect(violations).toEqual([]);
    expect(checkouts).toBeGreaterThan(0);
  });
});
