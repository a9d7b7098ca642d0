import type { Command } from "../command-line/command.ts";
import { doctor } from "./doctor.ts";
import { erase } from "./erase.ts";
import { explain } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { jobs } from "./jobs.ts";
import { privacyExport } from "./privacy-export.ts";
import { prune } from "./prune.ts";
import { replay } from "./replay.ts";
import { sandbox } from "./sandbox.ts";
import { shopify } from "./shopify.ts";
import { webhooks } from "./webhooks.ts";
import { woocommerce } from "./woocommerce.ts";

export const commands: readonly Command[] = [
  sandbox,
  explain,
  jobs,
  replay,
  exportCommand,
  prune,
  erase,
  privacyExport,
  webhooks,
  woocommerce,
  shopify,
  doctor,
];
