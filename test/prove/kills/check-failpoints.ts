import type { CaseResult } from "./case-result.ts";
import { FAILPOINTS, SCENARIO_NAMES } from "./failpoints.ts";
import { STEP_METHODS } from "./ports.ts";
import type { EngineName, Resources } from "./resources.ts";
import { runScenario } from "./run-scenario.ts";

/** Runs every scenario without a kill and checks that it reaches each of its listed steps and that no step is missing from the list. */
export async function checkFailpoints(resources: Resources, engine: EngineName): Promise<CaseResult> {
  const listed = new Set(FAILPOINTS.map(({ name }) => name));
  const violations = STEP_METHODS.filter((method) => !FAILPOINTS.some(({ name }) => name.split(" ")[0] === method)).map(
    (method) => `"${method}" has no failpoint`,
  );
  let checkouts = 0;
  for (const scene of SCENARIO_NAMES) {
    const result = await runScenario(resources, engine, { name: "", scenario: scene }, null);
    checkouts += result.checkouts;
    const came = new Set(result.steps);
    const never = FAILPOINTS.filter((failpoint) => failpoint.scenario === scene && !came.has(failpoint.name));
    violations.push(
      ...result.violations,
      ...never.map(({ name }) => `the scenario "${scene}" never reaches "${name}"`),
      ...result.steps.filter((step) => !listed.has(step)).map((step) => `"${step}" is not listed as a failpoint`),
    );
  }
  return { violations, kills: 0, checkouts };
}
