import { quickShare } from "./quick-share.ts";
import { bytes } from "./tiers/bytes.ts";

quickShare(bytes);
