import type { Hold } from "../stores/miniature-store.ts";
import { happens, pick, upTo } from "./chance.ts";
import { note, SECOND, type SimulationWorld } from "./simulation-world.ts";

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
  "late",
  "late",
] as const;

/** Stands between an adapter and its shop: some of its writes fail, get lost or land late. */
export function withStoreFaults(world: SimulationWorld, hold: Hold): Hold {
  if (world.hazards.store.faults === 0) return hold;
  return (port) => {
    const held = Object.entries(hold(port)).map(([name, value]) => [
      name,
      WRITES.has(name)
        ? (...given: unknown[]) => {
            maybeFail(world);
            return value(...given);
          }
        : value,
    ]);
    return Object.fromEntries(held);
  };
}

function maybeFail(world: SimulationWorld): void {
  const { random, store, hazards } = world;
  if (!happens(random, hazards.store.faults)) return;
  const fault = pick(random, FAULTS);
  note(world, `the shop: ${fault}`);
  store.failNextWrite(fault === "late" ? { lateMs: lateness(random) } : fault);
}

// Most often when its sender has given up and the next try is on its way.
function lateness(random: { fraction(): number }): number {
  return 5 * SECOND + upTo(random, pick(random, [12 * SECOND, 25 * SECOND, 110 * SECOND]));
}
