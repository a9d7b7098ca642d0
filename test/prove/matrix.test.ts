import { quickShare } from "./quick-share.ts";
import { matrix } from "./tiers/matrix.ts";

quickShare(matrix);
