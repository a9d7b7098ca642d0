import { type CaseResult, checkFixture } from "./case-result.ts";
import type { Failpoint } from "./failpoints.ts";
import { openFixture } from "./fixture.ts";
import type { CrashPoint } from "./messages.ts";
import type { DatabaseName, Resources } from "./resources.ts";
import { SCENARIOS } from "./scenarios.ts";
import { createShopActions } from "./shop-actions.ts";

/** Runs one scenario with one kill at one step, or without a kill if `moment` is null. Returns the steps that it reached. */
export async function runScenario(
  { processes, createDatabase }: Resources,
  database: DatabaseName,
  { name, scenario }: Failpoint,
  moment: CrashPoint["moment"] | null,
): Promise<CaseResult & { readonly steps: readonly string[] }> {
  processes.takeOutput();
  const fixture = await openFixture({
    processes,
    postgresUrl: await createDatabase(database),
    roles: ["all"],
    crashPointOf: (_fixture, start) =>
      start === firstStart(scenario) && moment !== null ? { step: name, nth: 1, moment } : null,
  });
  try {
    const actions = createShopActions(fixture);
    await SCENARIOS[scenario](fixture, actions);
    const result = await checkFixture(fixture, actions, processes);
    const expectedKills = moment === null ? 0 : 1;
    const wrongKillCount =
      result.kills === expectedKills ? [] : [`the process died ${result.kills} times, not ${expectedKills}`];
    const steps = Object.keys(await fixture.request("steps", null));
    return { ...result, violations: [...result.violations, ...wrongKillCount], steps };
  } finally {
    await fixture.close();
  }
}

/** The process that the kill hits. The two before it only make the ledger that is restored. */
function firstStart(scenario: Failpoint["scenario"]): number {
  return scenario === "restored" ? 2 : 0;
}
