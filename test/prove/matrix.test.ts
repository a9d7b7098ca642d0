import { testQuickShareOf } from "./quick-share.ts";
import { matrix } from "./tiers/matrix.ts";

testQuickShareOf(matrix);
