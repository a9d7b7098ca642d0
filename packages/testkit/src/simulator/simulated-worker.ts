import { runDue } from "@tillkit/core";
import { upTo } from "./chance.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { MINUTE, note, SECOND, type SimulationWorld } from "./simulation-world.ts";

/** Works through what is due with one process after another: when one dies, the next starts within half a minute. */
export async function workThrough(
  world: SimulationWorld,
  index: number,
  start: (worker: string) => SimulatedProcess,
): Promise<void> {
  const { clock, processes, random } = world;
  for (;;) {
    const process = processes[index];
    if (!process?.life.isAlive()) {
      await clock.sleep(upTo(random, 30 * SECOND));
      world.kills += 1;
      note(world, `process ${index + 1} starts again`);
      processes[index] = start(`${index + 1} after ${world.kills} kills`);
      continue;
    }
    // Whoever died in the middle of a round never comes back from it.
    await Promise.race([runDue(process.engine).catch(() => undefined), process.life.ended]);
    await clock.sleep(await restOf(world));
  }
}

// In the storm a round a second; afterwards nobody wakes up for nothing through three days.
async function restOf({ clock, ledger, stormEndsAt }: SimulationWorld): Promise<number> {
  if (clock.now() < stormEndsAt) return SECOND;
  const next = await ledger.nextDueAt();
  return next === null ? 10 * MINUTE : Math.min(Math.max(next - clock.now(), SECOND), 10 * MINUTE);
}
