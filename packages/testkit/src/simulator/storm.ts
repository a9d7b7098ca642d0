import { happens, pick, upTo } from "./chance.ts";
import { CALM } from "./hazards.ts";
import { isStorm, MINUTE, note, ring, SECOND, type SimulationWorld } from "./simulation-world.ts";

const FAULTS = ["unavailable", "lost-before-effect", "lost-after-effect", "error-after-effect", "late"] as const;

/** The shop's machine has bad days: its writes fail, get lost or land late, or it is down. */
export async function troubleTheShop(world: SimulationWorld): Promise<void> {
  const { clock, random, store } = world;
  const { faults, down } = world.hazards.store;
  if (faults === 0 && down === 0) return;
  while (clock.now() < world.stormEndsAt - 5 * MINUTE) {
    await clock.sleep(upTo(random, 2 * MINUTE));
    if (happens(random, faults)) {
      const fault = pick(random, FAULTS);
      note(world, `the shop: ${fault}`);
      store.failNextWrite(fault === "late" ? { lateMs: lateness(random) } : fault);
    }
    if (!happens(random, down)) continue;
    note(world, "the shop: down");
    store.setDown(true);
    await clock.sleep(upTo(random, 5 * MINUTE));
    store.setDown(false);
  }
}

// Most often just after its sender gave up, when the next try is on its way.
function lateness(random: { fraction(): number }): number {
  return 4 * SECOND + upTo(random, pick(random, [20 * SECOND, 110 * SECOND]));
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
    ring(world);
  }
}

/** Everything heals: dead processes start again, services answer, clocks are right. */
export function endStorm(world: SimulationWorld): void {
  const { store, hazards } = world;
  world.hazards = { ...CALM, account: hazards.account };
  store.heal();
  note(world, "the storm is over");
}
