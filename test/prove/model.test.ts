import { testQuickShareOf } from "./quick-share.ts";
import { model } from "./tiers/model.ts";

testQuickShareOf(model);
