import type { Tier } from "./tier.ts";
import { bytes } from "./tiers/bytes.ts";
import { failover } from "./tiers/failover.ts";
import { flood } from "./tiers/flood.ts";
import { histories } from "./tiers/histories.ts";
import { kills } from "./tiers/kills.ts";
import { matrix } from "./tiers/matrix.ts";
import { model } from "./tiers/model.ts";
import { mutants } from "./tiers/mutants.ts";
import { schedules } from "./tiers/schedules.ts";
import { simulation } from "./tiers/simulation.ts";
import { upgrade } from "./tiers/upgrade.ts";

/** Every tier of the proof. */
export const tiers: readonly Tier[] = [
  model,
  simulation,
  kills,
  bytes,
  matrix,
  histories,
  flood,
  upgrade,
  mutants,
  failover,
  schedules,
];
