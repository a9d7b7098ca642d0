import { quickShare } from "./quick-share.ts";
import { model } from "./tiers/model.ts";

quickShare(model);
