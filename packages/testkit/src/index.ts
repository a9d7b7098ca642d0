export { createKillableProcess, type KillableProcess } from "./killable-process.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { createSeededRandom } from "./seeded-random.ts";
export type {
  Capability,
  StoreAdapterHarness,
  StoreHarnessNetwork,
  StoreHarnessProbe,
} from "./store-adapter-contract/harness.ts";
export type { StoreAdapterRule } from "./store-adapter-contract/rule.ts";
export { skipReason, storeAdapterRules } from "./store-adapter-contract/store-adapter-rules.ts";
export type { OpenStore, SimulatableStore, StorePorts, StoreUnderTest } from "./store-under-test.ts";
export type { Authorize } from "./stores/callback/callback-shop.ts";
export { type CallbackStore, createCallbackStore } from "./stores/callback/callback-store.ts";
export type {
  Effect,
  MiniatureStore,
  OrderInput,
  PlacedOrder,
  StoreProbe,
  WrapPort,
} from "./stores/miniature-store.ts";
export type { WriteFault } from "./stores/network-link.ts";
export { findPaidOrderViolations, type PaymentFacts } from "./stores/paid-order-violations.ts";
export type {
  OrderPatch,
  OrdersApi,
  RestOrder,
  RestRefund,
} from "./stores/read-then-write/read-then-write-shop.ts";
export { createReadThenWriteStore, type ReadThenWriteStore } from "./stores/read-then-write/read-then-write-store.ts";
export type {
  MutationResult,
  PostedSession,
  SessionMutations,
  UserError,
} from "./stores/write-only/write-only-shop.ts";
export { createWriteOnlyStore, type WriteOnlyStore } from "./stores/write-only/write-only-store.ts";
