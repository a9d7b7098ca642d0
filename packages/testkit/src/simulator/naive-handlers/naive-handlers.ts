import type { StoreAdapter } from "@tillkit/core";
import type { SimulationOptions } from "../open-world.ts";
import { actThenRecord } from "./act-then-record.ts";
import { readAndCompare } from "./read-and-compare.ts";
import { recordThenAct } from "./record-then-act.ts";
import { trustPayload } from "./trust-payload.ts";

/**
 * Common but wrong ways to handle a payment. The simulation must find lost or repeated payments in each of these ways. Otherwise
 * its faults would be too weak to prove anything.
 */
export const naiveHandlers: readonly NaiveHandler[] = [
  { name: "trust the payload", createApp: trustPayload },
  { name: "record, then act", createApp: recordThenAct },
  { name: "act, then record", createApp: actThenRecord },
  { name: "read and compare, without a lock", createApp: readAndCompare },
  { name: "read, then write, without waiting", adapt: withoutWaiting },
];

export type NaiveHandler = { readonly name: string } & Pick<SimulationOptions, "createApp" | "adapt">;

// Our own engine with an adapter that wrongly claims conditional writes, so the engine does not wait between two writes.
function withoutWaiting(adapter: StoreAdapter): StoreAdapter {
  return { ...adapter, writes: { kind: "conditional" } };
}
