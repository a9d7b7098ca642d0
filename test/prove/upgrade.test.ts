import { quickShare } from "./quick-share.ts";
import { upgrade } from "./tiers/upgrade.ts";

quickShare(upgrade);
