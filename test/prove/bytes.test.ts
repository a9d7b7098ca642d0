import { testQuickShareOf } from "./quick-share.ts";
import { bytes } from "./tiers/bytes.ts";

testQuickShareOf(bytes);
