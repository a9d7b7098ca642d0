import { Module } from "@medusajs/framework/utils";
import type { Till } from "../../till/open-till.ts";
import { agreeOnOptions, closeSharedTill } from "../../till/shared-till.ts";
import { tillOfMedusa } from "../../till/till-of-medusa.ts";

/** The plugin's own module: it gives routes the till, and lets the work begin and end with the application. */
export class TillkitModule {
  readonly __hooks = {
    onApplicationStart: async (): Promise<void> => (await tillOfMedusa()).timer.start(),
    onApplicationPrepareShutdown: closeSharedTill,
  };

  till(): Promise<Till> {
    return tillOfMedusa();
  }
}

/** A mistake in the options, or a database without our tables, stops Medusa at boot and not at the first order. */
async function openAtBoot({ options = {} }: { options?: Record<string, unknown> }): Promise<void> {
  agreeOnOptions("plugin", options);
  await tillOfMedusa();
}

export default Module("tillkit", { service: TillkitModule, loaders: [openAtBoot] });
