import { testQuickShareOf } from "./quick-share.ts";
import { flood } from "./tiers/flood.ts";

testQuickShareOf(flood);
