export { brokenPromises, type PaymentTruth } from "./broken-promises.ts";
export {
  type CallEvidence,
  type Evidence,
  noEvidence,
  type OrderEvidence,
  type ParkedJob,
  type RefundEvidence,
  type SessionEvidence,
  type StateMove,
  type WebhookEvidence,
} from "./invariants/evidence.ts";
export type { Broken, Invariant, InvariantId } from "./invariants/invariant.ts";
export { brokenInvariants, invariants } from "./invariants/invariants.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { createProcessLife, type ProcessLife } from "./process-life.ts";
export { createSeededRandom } from "./seeded-random.ts";
export type { Hazards } from "./simulator/hazards.ts";
export { type Peer, peers } from "./simulator/peers/peers.ts";
export { runSimulation, type SimulationOptions, type SimulationResult } from "./simulator/simulation.ts";
export type {
  Ability,
  StoreAdapterHarness,
  StoreHarnessNetwork,
  StoreHarnessProbe,
} from "./store-adapter-contract/harness.ts";
export type { StoreAdapterRule } from "./store-adapter-contract/rule.ts";
export { storeAdapterRules, whySkipped } from "./store-adapter-contract/store-adapter-rules.ts";
export type { Authorize } from "./stores/asking/asking-shop.ts";
export { type AskingStore, createAskingStore } from "./stores/asking/asking-store.ts";
export type { BlindRest, OrderPatch, RestOrder, RestRefund } from "./stores/blind/blind-shop.ts";
export { type BlindStore, createBlindStore } from "./stores/blind/blind-store.ts";
export type { Effect, MiniatureStore, OrderWish, PlacedOrder, StoreProbe } from "./stores/miniature-store.ts";
export type { WriteFault } from "./stores/shop-wire.ts";
export type { MutationReply, PostedSession, TellOnlyMutations, UserError } from "./stores/tell-only/tell-only-shop.ts";
export { createTellOnlyStore, type TellOnlyStore } from "./stores/tell-only/tell-only-store.ts";
