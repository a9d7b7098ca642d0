import { upTo } from "./chance.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { isStorm, note, SECOND, type SimulationWorld } from "./simulation-world.ts";

const RESTART_MS = 30 * SECOND;
/** The timer of a process looks once a second; between two looks nothing can fall due for it that was not there before. */
const ROUND_MS = SECOND;

/** Works through what is due with one process after another: when one dies, the next starts within half a minute. */
export async function workThrough(
  world: SimulationWorld,
  index: number,
  start: (name: string) => SimulatedProcess,
): Promise<void> {
  for (;;) {
    const process = world.processes[index];
    if (!process?.life.isAlive()) {
      await world.clock.sleep(isStorm(world) ? upTo(world.random, RESTART_MS) : 0);
      world.deaths += 1;
      note(world, `process ${index + 1} starts again`);
      world.processes[index] = start(`process ${index + 1} after ${world.deaths} deaths`);
      continue;
    }
    // Whoever died in the middle of a round never comes back from it.
    await Promise.race([process.till.work().catch(() => undefined), process.life.ended]);
    await untilDue(world, process);
  }
}

async function untilDue(world: SimulationWorld, process: SimulatedProcess): Promise<void> {
  let pause = ROUND_MS;
  while (process.life.isAlive()) {
    await rest(world, pause);
    const due = await world.ledger.nextDueAt();
    if (due !== null && due <= process.now()) return;
    pause = due === null ? Number.POSITIVE_INFINITY : due - process.now();
  }
}

/** At most `ms`, less when somebody rings. */
async function rest({ clock, bells }: SimulationWorld, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const takeBack = Number.isFinite(ms) ? clock.setTimer(ms, byItself) : () => {};
    bells.push(rung);

    function rung(): void {
      takeBack();
      resolve();
    }
    function byItself(): void {
      bells.splice(bells.indexOf(rung), 1);
      resolve();
    }
  });
}
