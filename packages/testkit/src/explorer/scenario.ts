import type { AutoRefundReason } from "@tillkit/core";
import type { Hazards } from "../simulator/hazards/hazards.ts";
import type { SimulatedLedger } from "../simulator/simulation-world.ts";
import type { OpenStore, SimulatableStore } from "../store-under-test.ts";
import type { MiniatureStore } from "../stores/miniature-store.ts";
import type { Act } from "./act.ts";

/** A small history whose every interleaving is tried. */
export type Scenario = {
  /** What happens at the same time, as a file name: `webhook-and-return`. */
  readonly name: string;
  readonly store: MiniatureStore["kind"] | OpenStore<SimulatableStore>;
  /** The rules by which payments go back. Default: none. */
  readonly autoRefund?: readonly AutoRefundReason[];
  /** What the service does otherwise than usual. */
  readonly hazards?: (usual: Hazards) => Hazards;
  /** What happened before, one after the other and without any fault. */
  readonly before: readonly Act[];
  /** What happens then: everything without `afterMs` at the same moment. */
  readonly acts: readonly Act[];
  /** The ledger of each schedule. Default: in memory. */
  readonly openLedger?: () => Promise<SimulatedLedger>;
};
