import { playScene } from "./at-failpoint.ts";
import { FAILPOINTS, SCENE_NAMES } from "./failpoints.ts";
import { STEP_METHODS } from "./ports.ts";
import type { EngineName, Resources } from "./resources.ts";
import type { Verdict } from "./verdict.ts";

/** Every scene without a kill: each listed step is come by where the list says so, and no step is missing from the list. */
export async function census(resources: Resources, engine: EngineName): Promise<Verdict> {
  const listed = new Set(FAILPOINTS.map(({ name }) => name));
  const broken = STEP_METHODS.filter((method) => !FAILPOINTS.some(({ name }) => name.split(" ")[0] === method)).map(
    (method) => `"${method}" has no failpoint`,
  );
  let checkouts = 0;
  for (const scene of SCENE_NAMES) {
    const played = await playScene(resources, engine, { name: "", scene }, null);
    checkouts += played.checkouts;
    const came = new Set(played.steps);
    const never = FAILPOINTS.filter((failpoint) => failpoint.scene === scene && !came.has(failpoint.name));
    broken.push(
      ...played.broken,
      ...never.map(({ name }) => `the scene "${scene}" never comes by "${name}"`),
      ...played.steps.filter((step) => !listed.has(step)).map((step) => `"${step}" is no failpoint: list it`),
    );
  }
  return { broken, kills: 0, checkouts };
}
