import { limits } from "@tillkit/core";
import type { WrapPort } from "../stores/miniature-store.ts";
import { MINUTE, SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { actMeanwhile } from "./simulated-owner.ts";
import { addHistory, type SimulationWorld, wakeWorker } from "./simulation-world.ts";

/** The methods of the three miniature stores' ports that change an order. */
export const SHOP_WRITES: ReadonlySet<string> = new Set([
  "write",
  "putOrder",
  "postNote",
  "postRefund",
  "resolve",
  "pending",
  "reject",
]);
const FAULTS = [
  "unavailable",
  "lost-before-effect",
  "lost-after-effect",
  "error-after-effect",
  // Twice, so that late writes are more frequent.
  "late",
  "late",
] as const;

/** Wraps an adapter's connection to its shop, so that some writes fail, get lost or land late. `kill` ends the adapter's process. */
export function withStoreFaults(world: SimulationWorld, wrap: WrapPort, kill: () => void): WrapPort {
  const { store, time } = world.hazards;
  if (store.faults === 0 && time.slowWrites === 0 && time.broken === null) return wrap;
  return (port, options) => {
    const wrapped = Object.entries(wrap(port)).map(([name, value]) => {
      if (typeof value !== "function" || !canFail(world, name, options?.reads ?? [])) return [name, value];
      const failing = (...parameters: unknown[]) => {
        if (!slowAtRandom(world, name, kill)) failAtRandom(world);
        return value(...(isUnseen(world, name) ? parameters.slice(0, -1) : parameters));
      };
      return [name, failing];
    });
    return Object.fromEntries(wrapped);
  };
}

// A method of an author's own shop counts as a write unless the author lists it in `reads`.
function canFail({ store }: SimulationWorld, method: string, reads: readonly unknown[]): boolean {
  return store.kind === "own" ? !reads.includes(method) : SHOP_WRITES.has(method);
}

function failAtRandom(world: SimulationWorld): void {
  const { random, store, hazards } = world;
  if (hazards.store.faults === 0 || !happens(random, hazards.store.faults)) return;
  const fault = pick(random, FAULTS);
  addHistory(world, `the shop: ${fault}`);
  store.failNextWrite(fault === "late" ? { lateMs: randomLateMs(random) } : fault);
}

const TOO_LATE_MS = 40 * MINUTE;

/** The writes whose last parameter says when they must have been sent. To ignore it means to sleep right after it was compared. */
const WITH_SEND_BY: ReadonlySet<string> = new Set(["putOrder", "postNote", "postRefund", "resolve"]);

function isUnseen({ hazards }: SimulationWorld, method: string): boolean {
  return hazards.time.broken === "sleeps-unseen" && WITH_SEND_BY.has(method);
}

// Meanwhile its sender may die and the owner may decide.
function slowAtRandom(world: SimulationWorld, method: string, kill: () => void): boolean {
  const { timeRandom, store, hazards, clock } = world;
  const { slowWrites, diesMeanwhile, actsMeanwhile } = hazards.time;
  if (slowWrites === 0 || !happens(timeRandom, slowWrites)) return false;
  const { writes } = store.adapter;
  const isWorking = writes.kind === "read-then-write" && method === "putOrder";
  const longestMs =
    writes.kind === "read-then-write" ? writes.settleAfterMs - hazards.store.latencyMs : limits.lateWriteMs;
  const ms = randomMs(timeRandom, hazards.time.broken === "late-writes" ? TOO_LATE_MS : longestMs);
  store.failNextWrite(isWorking ? { slowMs: ms } : { lateMs: ms });
  addHistory(world, `the shop: ${method} takes effect in ${Math.round(ms / SECOND)} s`);
  if (happens(timeRandom, diesMeanwhile)) clock.setTimer(randomMs(timeRandom, ms), () => killAndRestart(world, kill));
  if (happens(timeRandom, actsMeanwhile)) clock.setTimer(randomMs(timeRandom, ms), () => void actMeanwhile(world));
  return true;
}

function killAndRestart(world: SimulationWorld, kill: () => void): void {
  kill();
  addHistory(world, "the sender of the write is killed");
  for (const _ of world.processes) wakeWorker(world);
}

// The write usually takes effect after its sender gave up and while the next attempt is in flight.
function randomLateMs(random: { fraction(): number }): number {
  return 5 * SECOND + randomMs(random, pick(random, [12 * SECOND, 25 * SECOND, 110 * SECOND]));
}
