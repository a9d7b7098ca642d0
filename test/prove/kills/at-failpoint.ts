import type { Failpoint } from "./failpoints.ts";
import type { Death } from "./messages.ts";
import type { EngineName, Resources } from "./resources.ts";
import { SCENES } from "./scenes.ts";
import { goShopping } from "./shopping.ts";
import { judgeWorld, type Verdict } from "./verdict.ts";
import { openWorld } from "./world.ts";

/** One scene with one kill, at one step; null: without any, which tells what steps it comes by. */
export async function playScene(
  { crew, database }: Resources,
  engine: EngineName,
  { name, scene }: Failpoint,
  moment: Death["moment"] | null,
): Promise<Verdict & { readonly steps: readonly string[] }> {
  crew.takePrinted();
  const world = await openWorld({
    crew,
    postgresUrl: await database(engine),
    roles: ["all"],
    deathOf: (_world, life) => (life === 0 && moment !== null ? { step: name, nth: 1, moment } : null),
  });
  try {
    const shopping = goShopping(world);
    await SCENES[scene](world, shopping);
    const verdict = await judgeWorld(world, shopping, crew);
    const wanted = moment === null ? 0 : 1;
    const missed = verdict.kills === wanted ? [] : [`the process died ${verdict.kills} times, not ${wanted}`];
    const steps = Object.keys(await world.ask("steps", null));
    return { ...verdict, broken: [...verdict.broken, ...missed], steps };
  } finally {
    await world.close();
  }
}
