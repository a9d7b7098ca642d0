import { happens, pick, upTo } from "./chance.ts";
import { CALM } from "./hazards.ts";
import { isStorm, MINUTE, note, ring, type SimulationWorld } from "./simulation-world.ts";

/** The shop's machine is down at times: then it answers 503 to everything. */
export async function troubleTheShop(world: SimulationWorld): Promise<void> {
  const { clock, random, store } = world;
  const { down } = world.hazards.store;
  while (down > 0 && isStorm(world)) {
    await clock.sleep(upTo(random, 4 * MINUTE));
    if (!isStorm(world) || !happens(random, down)) continue;
    note(world, "the shop: down");
    store.setDown(true);
    await clock.sleep(upTo(random, 5 * MINUTE));
    store.setDown(false);
  }
}

/** The service is gone for a while, as a whole. */
export async function breakService(world: SimulationWorld): Promise<void> {
  const { outage } = world.hazards.service;
  if (outage === null) return;
  setOutage(world, null);
  await world.clock.sleep(outage.fromMs);
  note(world, `the service is down for ${outage.lastsMs / MINUTE} min`);
  setOutage(world, outage);
  await world.clock.sleep(outage.lastsMs);
  setOutage(world, null);
}

function setOutage(world: SimulationWorld, outage: SimulationWorld["hazards"]["service"]["outage"]): void {
  const { hazards } = world;
  world.hazards = { ...hazards, service: { ...hazards.service, outage: isStorm(world) ? outage : null } };
}

/** Kills a process at some moment, whatever it is at. */
export async function killSome(world: SimulationWorld): Promise<void> {
  const { clock, random, processes, hazards } = world;
  for (let kill = 0; kill < hazards.kills; kill += 1) {
    await clock.sleep(upTo(random, pick(random, [MINUTE, 20 * MINUTE])));
    if (!isStorm(world)) return;
    const index = pick(random, [0, 1]);
    processes[index]?.life.end();
    note(world, `process ${index + 1} is killed`);
    // Whoever rests notices at once that it is dead.
    for (const _ of world.processes) ring(world);
  }
}

/** Everything heals: dead processes start again, services answer, clocks are right. */
export function endStorm(world: SimulationWorld): void {
  const { store, hazards } = world;
  const { account, owner } = hazards;
  world.hazards = { ...CALM, account, owner: { ...CALM.owner, givesBack: owner.givesBack } };
  store.heal();
  note(world, "the storm is over");
}
