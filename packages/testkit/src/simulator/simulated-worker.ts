import { MANY_EMPTY_RUNS } from "../invariants/bounded-waits.ts";
import { HOUR, MINUTE, SECOND } from "./hazards/durations.ts";
import { randomMs } from "./hazards/random-choice.ts";
import type { SimulatedProcess } from "./simulated-app.ts";
import { addHistory, areFaultsActive, type SimulationWorld } from "./simulation-world.ts";

const MAX_RESTART_MS = 30 * SECOND;
/** How often the timer of a process looks for due jobs. */
const POLL_MS = SECOND;
const RARE_POLL_MS = 20 * SECOND;

/** Runs due jobs in the process with this index. When the process dies, a new process starts within half a minute. */
export async function simulateWorker(
  world: SimulationWorld,
  index: number,
  start: (name: string) => SimulatedProcess,
): Promise<void> {
  for (;;) {
    const process = world.processes[index];
    if (!process?.handle.isAlive()) {
      await world.clock.sleep(areFaultsActive(world) ? randomMs(world.random, MAX_RESTART_MS) : 0);
      while (world.isStopped) await world.clock.sleep(SECOND);
      world.crashes += 1;
      addHistory(world, `process ${index + 1} starts again`);
      world.processes[index] = start(`process ${index + 1} after ${world.crashes} deaths`);
      continue;
    }
    // `runDue` never returns in a process that was killed, so wait for the end of the process too.
    const run = await Promise.race([process.app.runDue().catch(() => undefined), process.handle.exited]);
    if (run && run.done + run.retried + run.dead === 0) world.emptyRuns += 1;
    if (world.emptyRuns < MANY_EMPTY_RUNS) await waitForDueJob(world, process);
    // The case has violated an invariant, so it may end soon.
    else await world.clock.sleep(HOUR);
  }
}

async function waitForDueJob(world: SimulationWorld, process: SimulatedProcess): Promise<void> {
  let waitMs = POLL_MS;
  while (process.handle.isAlive()) {
    await waitForWork(world, waitMs);
    const dueAt = await world.ledger.nextDueAt();
    if (dueAt !== null && dueAt <= process.now()) return;
    // Without a job, wait until the worker is woken.
    waitMs = dueAt === null ? Number.POSITIVE_INFINITY : dueAt - process.now();
    // A corrected clock makes jobs due that seem to be due much later. The next claim finds them.
    if (isClockWrong(world)) return await waitForWork(world, Math.min(waitMs, RARE_POLL_MS));
  }
}

/** Whether the clock of the machine is wrong, or was corrected lately. */
function isClockWrong({ clock, startedAt, hazards, lastWakeAt }: SimulationWorld): boolean {
  const { clockJump } = hazards.time;
  if (clockJump === null) return false;
  return clock.now() < Math.max(startedAt + clockJump.atMs + clockJump.lastsMs, lastWakeAt) + 10 * MINUTE;
}

/** Waits until the worker is woken, but at most `ms`, which may be Infinity. */
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
