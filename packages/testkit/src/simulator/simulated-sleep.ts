import type { Clock } from "@tillkit/core";
import type { Change } from "@tillkit/core/ledger";
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

/** The longest sleeps, and those after which a lease is over, a write has settled, or a key is forgotten. */
const SLEEP_MS = [30 * SECOND, 5 * MINUTE, HOUR, 30 * HOUR] as const;
const OUTDATED_MS = [30 * SECOND, 5 * MINUTE, 5 * MINUTE, 30 * HOUR] as const;

/** The methods of all ports that return no promise. */
const WITHOUT_PROMISE: ReadonlySet<string> = new Set([
  "onNewJobs",
  "listTransactions",
  "listDeliveredEvents",
  "listUnsettled",
  "adminUrl",
]);

/** The requests that have one effect as long as their receiver remembers them, and the readings from which something is decided. */
const REQUESTS: ReadonlySet<string> = new Set([
  "openSession",
  "refund",
  "putOrder",
  "postNote",
  "postRefund",
  "write",
  "resolve",
]);
const READINGS: ReadonlySet<string> = new Set(["readSession", "readRefunds", "getOrder", "read"]);

export function createSleep(world: SimulationWorld, name: string, isAlive: () => boolean): SimulatedSleep {
  const { clock, timeRandom } = world;
  const { isSuspended } = world.hazards.time.sleeps;
  let wakesAt = 0;
  let suspendedMs = 0;

  /** Null: the process is awake and stays awake. */
  function sleepAtRandom(isDecision: boolean): Promise<void> | null {
    const { probability, atDecisions } = world.hazards.time.sleeps;
    const isAwake = clock.now() >= wakesAt;
    if (isAwake && areFaultsActive(world)) {
      if (isDecision && happens(timeRandom, atDecisions))
        fallAsleep(randomMs(timeRandom, pick(timeRandom, OUTDATED_MS)));
      else if (happens(timeRandom, probability)) fallAsleep(randomMs(timeRandom, pick(timeRandom, SLEEP_MS)));
    }
    return clock.now() >= wakesAt ? null : wake();
  }

  function fallAsleep(sleepMs: number): void {
    const ms = 1 + sleepMs;
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

  async function throughSleep(
    method: string,
    call: (...given: unknown[]) => unknown,
    given: unknown[],
  ): Promise<unknown> {
    const calledAt = clock.now();
    const toldAt = calledAt + world.clockAheadMs;
    await sleepAtRandom(REQUESTS.has(method));
    // The monotonic clock tells how long a process slept, unless its machine was suspended.
    const sleptMs = isSuspended ? 0 : clock.now() - calledAt;
    const wasSetBack = clock.now() + world.clockAheadMs < toldAt - SECOND;
    const elapsedMs = wasSetBack ? Number.POSITIVE_INFINITY : sleptMs;
    try {
      return await call(...given.map((one) => withElapsed(one, toldAt, elapsedMs)));
    } finally {
      await sleepAtRandom(READINGS.has(method) || (method === "commit" && isIntent(given[0] as Change)));
    }
  }

  return {
    isAsleep: () => clock.now() < wakesAt,
    wrap(port) {
      const entries = Object.entries(port).map(([method, value]) => {
        if (typeof value !== "function" || WITHOUT_PROMISE.has(method)) return [method, value];
        return [method, (...given: unknown[]) => throughSleep(method, value, given)];
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

/**
 * The request of a client that compares the monotonic time since the call with the time that was left then, and that notices when its clock
 * was set back: it is not sent any more.
 */
function withElapsed(request: unknown, calledAt: number, elapsedMs: number): unknown {
  if (typeof request !== "object" || request === null || !("sendBy" in request)) return request;
  return elapsedMs > Math.min(Number(request.sendBy) - calledAt, 24 * HOUR)
    ? { ...request, sendBy: Number.NEGATIVE_INFINITY }
    : request;
}

function isIntent({ payment }: Change): boolean {
  return payment !== undefined && payment.next.storeWriteAt !== null;
}
