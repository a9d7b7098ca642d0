import { randomMs } from "./hazards/random-choice.ts";
import type { SimulatedProcess } from "./simulated-app.ts";
import { addHistory, areFaultsActive, SECOND, type SimulationWorld } from "./simulation-world.ts";

const MAX_RESTART_MS = 30 * SECOND;
/** The timer of a process polls once a second. */
const POLL_MS = SECOND;

/** Runs due jobs with one process after another. When a process dies, the next one starts within half a minute. */
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
    // A run of a killed process never returns.
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

/** Waits at most `ms`, or until the worker is woken. */
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
