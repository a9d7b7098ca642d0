import type { StoreAdapter } from "@tillkit/core";
import type { SimulationOptions } from "../open-world.ts";
import { actThenRecord } from "./act-then-record.ts";
import { readAndCompare } from "./read-and-compare.ts";
import { recordThenAct } from "./record-then-act.ts";
import { trustPayload } from "./trust-payload.ts";

/**
 * How others treat a payment, in the same simulation: each of them loses or repeats payments there, which shows that the
 * simulation is hard enough to mean something for ours.
 */
export const naiveHandlers: readonly NaiveHandler[] = [
  { name: "trust the payload", createApp: trustPayload },
  { name: "record, then act", createApp: recordThenAct },
  { name: "act, then record", createApp: actThenRecord },
  { name: "read and compare, without a lock", createApp: readAndCompare },
  { name: "read, then write, without waiting", adapt: withoutWaiting },
];

export type NaiveHandler = { readonly name: string } & Pick<SimulationOptions, "createApp" | "adapt">;

// Our own engine over a shop that is said to refuse a second write, and does not.
function withoutWaiting(adapter: StoreAdapter): StoreAdapter {
  return { ...adapter, writes: { kind: "conditional" } };
}
