import type { Clock } from "@tillkit/core";
import { HOUR, MINUTE, SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { addHistory, areFaultsActive, type SimulationWorld, wakeWorker } from "./simulation-world.ts";

/** The sleep of one process: it is stopped, or its machine is suspended. While it sleeps, none of its calls leaves or returns. */
export type SimulatedSleep = {
  isAsleep(): boolean;
  wrap<Port extends object>(port: Port): Port;
  /** The timers of the process. Those of a suspended machine stand still while it sleeps. */
  setTimer: NonNullable<Clock["setTimer"]>;
};

/** The methods of all ports that return no promise. */
const WITHOUT_PROMISE: ReadonlySet<string> = new Set([
  "onNewJobs",
  "listTransactions",
  "listDeliveredEvents",
  "listUnsettled",
  "adminUrl",
]);

export function createSleep(world: SimulationWorld, name: string, isAlive: () => boolean): SimulatedSleep {
  const { clock, timeRandom } = world;
  const { isSuspended } = world.hazards.time.sleeps;
  let wakesAt = 0;
  let suspendedMs = 0;

  /** Null: the process is awake and stays awake. */
  function sleepAtRandom(): Promise<void> | null {
    const { probability } = world.hazards.time.sleeps;
    const isAwake = clock.now() >= wakesAt;
    if (isAwake && areFaultsActive(world) && happens(timeRandom, probability)) fallAsleep();
    return clock.now() >= wakesAt ? null : wake();
  }

  function fallAsleep(): void {
    const ms = 1 + randomMs(timeRandom, pick(timeRandom, [30 * SECOND, 5 * MINUTE, HOUR, 30 * HOUR]));
    wakesAt = clock.now() + ms;
    if (isSuspended) suspendedMs += ms;
    world.lastWakeAt = Math.max(world.lastWakeAt, wakesAt);
    addHistory(world, `${name} sleeps for ${Math.round(ms / SECOND)} s${isSuspended ? ", its timers too" : ""}`);
    clock.setTimer(ms, () => {
      addHistory(world, `${name} wakes up`);
      for (const _ of world.processes) wakeWorker(world);
    });
  }

  async function wake(): Promise<void> {
    while (clock.now() < wakesAt) await clock.sleep(wakesAt - clock.now());
    // A process that was killed in its sleep never goes on.
    if (!isAlive()) await new Promise(() => undefined);
  }

  async function throughSleep<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    await sleepAtRandom();
    try {
      return await call();
    } finally {
      await sleepAtRandom();
    }
  }

  return {
    isAsleep: () => clock.now() < wakesAt,
    wrap(port) {
      const entries = Object.entries(port).map(([method, value]) => {
        if (typeof value !== "function" || WITHOUT_PROMISE.has(method)) return [method, value];
        return [method, (...given: unknown[]) => throughSleep(() => value(...given))];
      });
      return Object.fromEntries(entries);
    },
    setTimer(ms, ring) {
      let isCancelled = false;
      let cancel = arm(ms, suspendedMs);
      return () => {
        isCancelled = true;
        cancel();
      };

      function arm(waitMs: number, seenMs: number): () => void {
        return clock.setTimer(waitMs, async () => {
          if (clock.now() < wakesAt) await wake();
          if (isCancelled) return;
          if (suspendedMs > seenMs) cancel = arm(suspendedMs - seenMs, suspendedMs);
          else ring();
        });
      }
    },
  };
}
