// A child of prove.ts that is made one file before it runs: for tiers that only compute.
import { serveSlices } from "./serve-slices.ts";
import { simulation } from "./tiers/simulation.ts";

serveSlices([simulation]);
