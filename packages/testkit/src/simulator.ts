export {
  type CallEvidence,
  type DeadJob,
  type Evidence,
  emptyEvidence,
  type OrderEvidence,
  type RefundEvidence,
  type SessionEvidence,
  type StateChange,
  type WebhookEvidence,
} from "./invariants/evidence.ts";
export type { Invariant, InvariantId, Violation } from "./invariants/invariant.ts";
export { findViolations, invariants } from "./invariants/invariants.ts";
export type { Hazards } from "./simulator/hazards/hazards.ts";
export { NO_MONEY_HAZARDS } from "./simulator/hazards/money-hazards.ts";
export { NO_TIME_HAZARDS, type TimeHazards } from "./simulator/hazards/time-hazards.ts";
export { type NaiveHandler, naiveHandlers } from "./simulator/naive-handlers/naive-handlers.ts";
export type { SimulationOptions } from "./simulator/open-world.ts";
export { type SimulateOptions, simulate } from "./simulator/simulate.ts";
export { runSimulation, type SimulationResult } from "./simulator/simulation.ts";
export type { OpenStore, SimulatableStore, StorePorts, StoreUnderTest } from "./store-under-test.ts";
