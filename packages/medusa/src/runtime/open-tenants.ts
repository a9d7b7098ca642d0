import { createServiceClient } from "@tillkit/client";
import { type Environment, type Ledger, type Log, type LogFields, systemClock, systemRandom } from "@tillkit/core";
import { createTenants, type Tenants } from "@tillkit/core/hosts";
import { createServiceClients, type ServiceCall } from "@tillkit/runtime";
import type { ResolvedOptions } from "../options/options.ts";
import { assertApiKey } from "./assert-api-key.ts";
import { loadWebhookSecrets } from "./webhook-secrets.ts";

export type TenantsInput = {
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly ledger: Ledger;
  readonly log: Log;
};

/**
 * The credential of the one store of this Medusa. Registers the webhook when the options ask for it.
 * @throws CheckoutError `configuration_invalid` when the service rejects the API key; ServiceError
 */
export async function openTenants({ options, environment, ledger, log }: TenantsInput): Promise<Tenants> {
  const { storeId, apiKey, endpointId, account } = options;
  const { baseUrl, version } = options.service;
  const client = createServiceClient({ apiKey, baseUrl, account });
  await assertApiKey(client, { apiKey, baseUrl, log });
  const system = { clock: systemClock, random: systemRandom };
  const webhookSecrets = await loadWebhookSecrets({ options, environment, ledger, client, log, ...system });
  // The id names the endpoint and not the key, so that payments opened with an old key are read with its successor.
  const id = `${endpointId}-${environment}`;
  const credential = { id, storeIds: [storeId], apiKey, baseUrl, account, endpointId, webhookSecrets };
  const onCall = options.debug ? (call: ServiceCall) => log.info("service.called", describeCall(call)) : undefined;
  const createClient = createServiceClients({ ledger, clock: systemClock, version, log, ...(onCall && { onCall }) });
  return createTenants({ credentials: [credential], createClient });
}

function describeCall({ operation, seconds, code }: ServiceCall): LogFields {
  return { operation, ms: Math.round(seconds * 1_000), result: code ?? "ok" };
}
