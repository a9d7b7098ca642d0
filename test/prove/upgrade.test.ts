import { testQuickShareOf } from "./quick-share.ts";
import { upgrade } from "./tiers/upgrade.ts";

testQuickShareOf(upgrade);
