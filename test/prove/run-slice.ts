// A child process of prove.ts.
import { serveSlices } from "./serve-slices.ts";
import { tiers } from "./tiers.ts";

serveSlices(tiers);
