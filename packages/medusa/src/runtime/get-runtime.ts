import { addressFault } from "@tillkit/client";
import { CheckoutError } from "@tillkit/core";
import type { ResolvedOptions } from "../options/options.ts";
import type { MedusaContainer } from "../store/medusa-container.ts";
import { createMedusaLog, type MedusaLogger } from "./medusa-log.ts";
import { type CheckoutRuntime, openRuntime } from "./open-runtime.ts";
import { openSharedRuntime } from "./shared-runtime.ts";

/** The checkout runtime of this Medusa process. Its tables are in Medusa's database unless the options name another one. */
export function getRuntime(): Promise<CheckoutRuntime> {
  return openSharedRuntime(openInMedusa);
}

// Uses the application's container: the containers of the provider and the module have neither the query nor the workflows.
async function openInMedusa(options: ResolvedOptions): Promise<CheckoutRuntime> {
  const { container } = await import("@medusajs/framework");
  const log = createMedusaLog(() => container.resolve("logger") as MedusaLogger);
  const databaseUrl = options.databaseUrl ?? medusaDatabaseUrl(container);
  return await openRuntime({ options, container, databaseUrl, log, adminUrl: medusaAdminUrl(container) });
}

type MedusaConfig = {
  readonly projectConfig: { readonly databaseUrl?: string };
  readonly admin?: { readonly backendUrl?: string; readonly path?: string };
};

// Medusa serves its admin itself, below its own address. Null: its config names no address, or an address for this machine only.
function medusaAdminUrl(container: MedusaContainer): string | null {
  const { backendUrl = "/", path = "/app" } = (container.resolve("configModule") as MedusaConfig).admin ?? {};
  return addressFault(backendUrl, "base") === null ? new URL(path, backendUrl).href : null;
}

function medusaDatabaseUrl(container: MedusaContainer): string {
  const { projectConfig } = container.resolve("configModule") as MedusaConfig;
  if (projectConfig.databaseUrl) return projectConfig.databaseUrl;
  const message = "Medusa's config has no databaseUrl: set projectConfig.databaseUrl, or Tillkit's databaseUrl.";
  throw new CheckoutError("configuration_invalid", message);
}
