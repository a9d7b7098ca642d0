import { CheckoutError } from "@tillkit/core";
import type { ReadOptions } from "../options/options.ts";
import type { MedusaContainer } from "../shop/medusa-container.ts";
import { createMedusaLog, type MedusaLogger } from "./medusa-log.ts";
import { openTill, type Till } from "./open-till.ts";
import { sharedTill } from "./shared-till.ts";

/** The till of this Medusa process, with its tables in Medusa's own database unless the options name another one. */
export function tillOfMedusa(): Promise<Till> {
  return sharedTill(openInMedusa);
}

// The application's own container: a provider's and a module's know neither the query nor the workflows.
async function openInMedusa(options: ReadOptions): Promise<Till> {
  const { container } = await import("@medusajs/framework");
  const log = createMedusaLog(() => container.resolve("logger") as MedusaLogger);
  const databaseUrl = options.databaseUrl ?? medusasDatabase(container);
  return await openTill({ options, container, databaseUrl, log });
}

function medusasDatabase(container: MedusaContainer): string {
  const { projectConfig } = container.resolve("configModule") as { projectConfig: { databaseUrl?: string } };
  if (projectConfig.databaseUrl) return projectConfig.databaseUrl;
  const message = "Medusa's config names no databaseUrl: set projectConfig.databaseUrl, or Tillkit's databaseUrl.";
  throw new CheckoutError("configuration_invalid", message);
}
