import { quickShare } from "./quick-share.ts";
import { simulation } from "./tiers/simulation.ts";

quickShare(simulation);
