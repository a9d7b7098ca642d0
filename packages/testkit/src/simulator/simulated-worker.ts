import { randomMs } from "./hazards/random-choice.ts";
import type { SimulatedProcess } from "./simulated-app.ts";
import { addHistory, areFaultsActive, SECOND, type SimulationWorld } from "./simulation-world.ts";

const MAX_RESTART_MS = 30 * SECOND;
/** The timer of a process looks once a second; between two looks nothing can fall due for it that was not there before. */
const POLL_MS = SECOND;

/** Works through what is due with one process after another: when one dies, the next starts within half a minute. */
export async function simulateWorker(
  world: SimulationWorld,
  index: number,
  start: (name: string) => SimulatedProcess,
): Promise<void> {
  for (;;) {
    const process = world.processes[index];
    if (!process?.handle.isAlive()) {
      await world.clock.sleep(areFaultsActive(world) ? randomMs(world.random, MAX_RESTART_MS) : 0);
      world.crashes += 1;
      addHistory(world, `process ${index + 1} starts again`);
      world.processes[index] = start(`process ${index + 1} after ${world.crashes} deaths`);
      continue;
    }
    // Whoever died in the middle of a round never comes back from it.
    await Promise.race([process.app.runDue().catch(() => undefined), process.handle.exited]);
    await untilDue(world, process);
  }
}

async function untilDue(world: SimulationWorld, process: SimulatedProcess): Promise<void> {
  let pause = POLL_MS;
  while (process.handle.isAlive()) {
    await waitForWork(world, pause);
    const due = await world.ledger.nextDueAt();
    if (due !== null && due <= process.now()) return;
    pause = due === null ? Number.POSITIVE_INFINITY : due - process.now();
  }
}

/** At most `ms`, less when somebody rings. */
async function waitForWork({ clock, waitingWorkers }: SimulationWorld, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancelTimer = Number.isFinite(ms) ? clock.setTimer(ms, onTimeout) : () => {};
    waitingWorkers.push(onWake);

    function onWake(): void {
      cancelTimer();
      resolve();
    }
    function onTimeout(): void {
      waitingWorkers.splice(waitingWorkers.indexOf(onWake), 1);
      resolve();
    }
  });
}
