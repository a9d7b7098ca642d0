import { Module } from "@medusajs/framework/utils";
import { getRuntime } from "../../runtime/get-runtime.ts";
import type { CheckoutRuntime } from "../../runtime/open-runtime.ts";
import { closeSharedRuntime, registerOptions } from "../../runtime/shared-runtime.ts";

/** The plugin's module: it gives routes the checkout runtime and starts and stops the work timer with the application. */
export class TillkitModule {
  readonly __hooks = {
    onApplicationStart: async (): Promise<void> => (await getRuntime()).workTimer.start(),
    onApplicationPrepareShutdown: closeSharedRuntime,
  };

  runtime(): Promise<CheckoutRuntime> {
    return getRuntime();
  }
}

/** Stops Medusa at boot, not at the first order, when the options are invalid or the tables cannot be created. */
async function openAtBoot({ options = {} }: { options?: Record<string, unknown> }): Promise<void> {
  registerOptions("plugin", options);
  await getRuntime();
}

export default Module("tillkit", { service: TillkitModule, loaders: [openAtBoot] });
