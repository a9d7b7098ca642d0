import { createServiceClient } from "@tillkit/client";
import {
  createTenants,
  type Environment,
  type Ledger,
  type Log,
  systemClock,
  systemRandom,
  type Tenants,
} from "@tillkit/core";
import { createServiceClients } from "@tillkit/runtime";
import type { ResolvedOptions } from "../options/options.ts";
import { loadWebhookSecrets } from "./webhook-secrets.ts";

export type TenantsInput = {
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly ledger: Ledger;
  readonly log: Log;
};

/** The credential of the one store of this Medusa. Registers the webhook when the options ask for it. */
export async function openTenants({ options, environment, ledger, log }: TenantsInput): Promise<Tenants> {
  const { storeId, apiKey, baseUrl, endpointId, serviceAccount: account, serviceVersion: version } = options;
  const client = createServiceClient({ apiKey, baseUrl, account });
  const system = { clock: systemClock, random: systemRandom };
  const webhookSecrets = await loadWebhookSecrets({ options, environment, ledger, client, log, ...system });
  // The id names the endpoint and not the key, so that payments opened with an old key are read with its successor.
  const id = `${endpointId}-${environment}`;
  const credential = { id, storeIds: [storeId], apiKey, baseUrl, account, endpointId, webhookSecrets };
  const createClient = createServiceClients({ ledger, clock: systemClock, version, log });
  return createTenants({ credentials: [credential], createClient });
}
