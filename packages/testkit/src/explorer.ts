export type { Act } from "./explorer/act.ts";
export { type Bound, type Exploration, type ExploreOptions, explore } from "./explorer/explore.ts";
export { type ExploreStoreOptions, exploreStore } from "./explorer/explore-store.ts";
export type { Found } from "./explorer/found.ts";
export { formatDeviations, parseDeviations, type Replay, replay } from "./explorer/replay.ts";
export type { Deviation } from "./explorer/run-schedule.ts";
export type { Scenario } from "./explorer/scenario.ts";
export { miniatureScenarios } from "./explorer/scenarios/scenarios.ts";
