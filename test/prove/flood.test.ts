import { quickShare } from "./quick-share.ts";
import { flood } from "./tiers/flood.ts";

quickShare(flood);
