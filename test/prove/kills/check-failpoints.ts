import type { CaseResult } from "./case-result.ts";
import { FAILPOINTS, isPossibleOn, SCENARIO_NAMES, SHOP_STEPS } from "./failpoints.ts";
import { STEP_METHODS } from "./ports.ts";
import type { DatabaseName, Resources } from "./resources.ts";
import { runScenario } from "./run-scenario.ts";
import { runShopLife } from "./run-shop-life.ts";

/** Runs every scenario without a kill and checks that it reaches each of its listed steps and that no step is missing from the list. */
export async function checkFailpoints(resources: Resources, database: DatabaseName): Promise<CaseResult> {
  const listed = new Set(FAILPOINTS.map(({ name }) => name));
  const violations = STEP_METHODS.filter((method) => !FAILPOINTS.some(({ name }) => name.split(" ")[0] === method)).map(
    (method) => `"${method}" has no failpoint`,
  );
  let checkouts = 0;
  for (const scenario of SCENARIO_NAMES.filter((name) => isPossibleOn(database, name))) {
    const result = await runScenario(resources, database, { name: "", scenario }, null);
    checkouts += result.checkouts;
    const reached = new Set(result.steps);
    const unreached = FAILPOINTS.filter((failpoint) => failpoint.scenario === scenario && !reached.has(failpoint.name));
    violations.push(
      ...result.violations,
      ...unreached.map(({ name }) => `the scenario "${scenario}" never reaches "${name}"`),
      ...result.steps.filter((step) => !listed.has(step)).map((step) => `"${step}" is not listed as a failpoint`),
    );
  }
  return { violations, kills: 0, checkouts };
}

/** Lets a shop live without a kill, and checks that the list names each of its steps as often as it happens. */
export async function checkShopSteps(resources: Resources, database: DatabaseName): Promise<CaseResult> {
  const { steps, ...result } = await runShopLife(resources, database, null);
  const names = new Set([
    ...Object.keys(SHOP_STEPS),
    ...Object.keys(steps).filter((step) => step.startsWith("shops.")),
  ]);
  const wrong = [...names].filter((name) => SHOP_STEPS[name] !== steps[name]);
  const miscounted = wrong.map((name) => `"${name}" happens ${steps[name] ?? 0} times, not ${SHOP_STEPS[name] ?? 0}`);
  return { ...result, violations: [...result.violations, ...miscounted] };
}
