import { codeOf } from "@tillkit/core";
import { deliveryFaultOf } from "@tillkit/core/hosts";
import { registeredEndpointId } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { environmentOf } from "../config/credentials.ts";
import { registerWebhook } from "../pairing/register-webhook.ts";
import { serverLimits } from "../server-limits.ts";
import { removeWebhook } from "./remove-webhook.ts";
import { selfServiceOf } from "./self-service-shops.ts";

/**
 * A webhook that was registered with the same key stays while it arrives: a new secret would refuse what the service has signed already.
 */
export async function storeKey(context: AppContext, storeId: string, apiKey: string): Promise<void> {
  const { checkout, ledger } = context;
  const id = registeredEndpointId(storeId, environmentOf({ apiKey }));
  const [stored] = await ledger.credentials.find({ id });
  const hasWebhook = stored?.apiKey === apiKey && stored.webhookSecrets.length > 0;
  const isRegistered = hasWebhook && !(await isWebhookLost(context, id));
  // The key first: a process that ends in between leaves no webhook that nobody could remove.
  if (stored === undefined || isRegistered) await checkout.storedCredentials?.put(keyOf(context, storeId, apiKey));
  if (!isRegistered) await registerWebhookOf(context, storeId, apiKey);
}

/** Whether the service has no webhook of this credential any more, or signs it with a secret that is not the stored one. */
async function isWebhookLost({ config, engine, log }: AppContext, id: string): Promise<boolean> {
  try {
    const service = await engine.tenants.service(id);
    const url = `${config.publicUrl}/hooks/service/${id}`;
    const tested = await service.testEndpoint?.({ url, deadlineMs: serverLimits.roundTripMs });
    if (!tested) return tested === null;
    return !tested.isDelivered && deliveryFaultOf(tested.attempt ?? {}) === "signature";
  } catch (error) {
    log.warn("webhook_not_tested", { endpointId: id, code: codeOf(error) });
    return false;
  }
}

/** Registers the webhooks of the stored keys anew: the service may sign with a secret that was never stored. */
export async function registerWebhooks(context: AppContext, storeId: string): Promise<void> {
  for (const { apiKey } of await context.ledger.credentials.find({ storeId }))
    await registerWebhookOf(context, storeId, apiKey);
}

async function registerWebhookOf(context: AppContext, storeId: string, apiKey: string): Promise<void> {
  const { config, checkout, ledger } = context;
  const credential = keyOf(context, storeId, apiKey);
  await selfServiceOf(context).attempts.registering(storeId);
  const url = `${config.publicUrl}/hooks/service/${credential.endpointId}`;
  const { id, secret } = await registerWebhook({ apiKey, account: undefined }, credential.baseUrl, url);
  // A key of another account leaves a webhook at the former one, which only the former key can remove.
  for (const former of await ledger.credentials.find({ id: credential.id }))
    if (former.apiKey !== apiKey) await removeWebhook(context, former, id);
  await checkout.storedCredentials?.put({ ...credential, webhookSecrets: [secret] });
}

function keyOf({ config }: AppContext, storeId: string, apiKey: string) {
  const id = registeredEndpointId(storeId, environmentOf({ apiKey }));
  const { baseUrl } = config.service;
  return { id, storeIds: [storeId], apiKey, baseUrl, endpointId: id, webhookSecrets: "kept" } as const;
}
