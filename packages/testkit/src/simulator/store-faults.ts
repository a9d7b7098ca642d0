import type { WrapPort } from "../stores/miniature-store.ts";
import { SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { addHistory, type SimulationWorld } from "./simulation-world.ts";

/** The methods of the three miniature stores' ports that change an order. */
const WRITES: ReadonlySet<string> = new Set([
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

/** Wraps an adapter's connection to its shop, so that some writes fail, get lost or land late. */
export function withStoreFaults(world: SimulationWorld, wrap: WrapPort): WrapPort {
  if (world.hazards.store.faults === 0) return wrap;
  return (port, options) => {
    const wrapped = Object.entries(wrap(port)).map(([name, value]) => {
      if (typeof value !== "function" || !canFail(world, name, options?.reads ?? [])) return [name, value];
      const failing = (...parameters: unknown[]) => {
        failAtRandom(world);
        return value(...parameters);
      };
      return [name, failing];
    });
    return Object.fromEntries(wrapped);
  };
}

// A method of an author's own shop counts as a write unless the author lists it in `reads`.
function canFail({ store }: SimulationWorld, method: string, reads: readonly unknown[]): boolean {
  return store.kind === "own" ? !reads.includes(method) : WRITES.has(method);
}

function failAtRandom(world: SimulationWorld): void {
  const { random, store, hazards } = world;
  if (!happens(random, hazards.store.faults)) return;
  const fault = pick(random, FAULTS);
  addHistory(world, `the shop: ${fault}`);
  store.failNextWrite(fault === "late" ? { lateMs: randomLateMs(random) } : fault);
}

// The write usually takes effect after its sender gave up and while the next attempt is in flight.
function randomLateMs(random: { fraction(): number }): number {
  return 5 * SECOND + randomMs(random, pick(random, [12 * SECOND, 25 * SECOND, 110 * SECOND]));
}
