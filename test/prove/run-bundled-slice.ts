// A bundled child process of prove.ts, for tiers that only compute.
import { serveSlices } from "./serve-slices.ts";
import { schedules } from "./tiers/schedules.ts";
import { simulation } from "./tiers/simulation.ts";

serveSlices([simulation, schedules]);
