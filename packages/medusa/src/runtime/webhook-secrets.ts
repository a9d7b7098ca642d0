import { createHash } from "node:crypto";
import type { ServiceClient, ServiceWebhookEndpoint } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { CheckoutError, type Clock, type Environment, type Ledger, type Log, type Random } from "@tillkit/core";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import type { ResolvedOptions } from "../options/options.ts";

export type WebhookRegistration = {
  readonly options: Pick<ResolvedOptions, "apiKey" | "storeId" | "endpointId" | "webhookSecrets" | "registerWebhookAt">;
  readonly environment: Environment;
  readonly ledger: Ledger;
  readonly client: Pick<ServiceClient, "webhooks">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

/** The kind of the record that stores a webhook's secret in the ledger. */
const KIND = "webhook";
/**
 * `endpoint` is the endpoint's id at the service. `key` is a digest of the API key that registered it: the key of another account
 * needs another endpoint.
 */
const storedEndpointSchema = z.object({ url: z.string(), secret: z.string(), endpoint: z.string(), key: z.string() });
type StoredEndpoint = z.output<typeof storedEndpointSchema>;

/**
 * The secrets that deliveries may be signed with. With `registerWebhookAt` the first boot registers the webhook
 * (POST /webhooks) and stores its secret encrypted, because the service shows the secret only in that answer.
 * @throws CheckoutError `configuration_invalid`, ServiceError: the webhook could not be registered
 */
export async function loadWebhookSecrets(registration: WebhookRegistration): Promise<readonly string[]> {
  const { options, environment } = registration;
  const url = webhookUrl(options);
  if (url === null) return options.webhookSecrets;
  const recordKey = `${environment}:${options.endpointId}`;
  const secret =
    (await storedSecret(registration, recordKey, url)) ?? (await registerUnderLock(registration, recordKey, url));
  return [secret, ...options.webhookSecrets];
}

/** The webhook's public address; null where the owner has registered the webhook by hand. */
export function webhookUrl({
  registerWebhookAt,
  endpointId,
}: Pick<ResolvedOptions, "registerWebhookAt" | "endpointId">): string | null {
  return registerWebhookAt === undefined
    ? null
    : `${registerWebhookAt.replace(/\/+$/, "")}/tillkit/webhooks/${endpointId}`;
}

async function storedSecret(
  { ledger, options }: WebhookRegistration,
  recordKey: string,
  url: string,
): Promise<string | null> {
  const stored = readStored((await ledger.secrets.get(options.storeId, KIND, recordKey))?.value);
  return stored?.url === url && stored.key === digestOf(options.apiKey) ? stored.secret : null;
}

function readStored(value: unknown): StoredEndpoint | null {
  const parsed = storedEndpointSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

function digestOf(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}

// When several processes boot together, one registers the webhook and the others wait for the secret it stores. The lock is an
// order's lock under an id that no order has.
async function registerUnderLock(registration: WebhookRegistration, recordKey: string, url: string): Promise<string> {
  const { ledger, options, clock, random } = registration;
  const lock = { storeId: options.storeId, orderId: `webhook ${recordKey}` };
  const giveUpAt = clock.now() + pluginLimits.registerWaitMs;
  do {
    const fence = await ledger.lockOrder(lock, random.uuid(), clock.now(), pluginLimits.registerWaitMs);
    if (fence !== null) {
      try {
        return (await storedSecret(registration, recordKey, url)) ?? (await register(registration, recordKey, url));
      } finally {
        await ledger.unlockOrder(lock, fence);
      }
    }
    await clock.sleep(pluginLimits.registerPollMs);
    const secret = await storedSecret(registration, recordKey, url);
    if (secret !== null) return secret;
  } while (clock.now() < giveUpAt);
  throw new CheckoutError("configuration_invalid", "Another process is registering the webhook: start this one again.");
}

async function register(registration: WebhookRegistration, recordKey: string, url: string): Promise<string> {
  const { ledger, options, log } = registration;
  const previous = await ledger.secrets.get(options.storeId, KIND, recordKey);
  const { endpoint, secret } = await requestSecret(registration, url, readStored(previous?.value));
  const value: StoredEndpoint = { url, secret, endpoint, key: digestOf(options.apiKey) };
  await ledger.secrets.put(options.storeId, KIND, recordKey, value, previous?.version ?? "new");
  log.info("webhook.registered", { url });
  return secret;
}

// The service may already have an endpoint with this URL. When it is the stored endpoint, the stored secret is still valid.
// The secret of any other endpoint, such as one from an interrupted boot, is not known here and is rotated.
async function requestSecret(
  { client }: WebhookRegistration,
  url: string,
  stored: StoredEndpoint | null,
): Promise<Pick<StoredEndpoint, "endpoint" | "secret">> {
  for await (const endpoint of client.webhooks.list()) {
    if (endpoint.url !== url || endpoint.id === undefined) continue;
    if (endpoint.id === stored?.endpoint) return stored;
    const change = { rotate_secret: true, is_active: true, authorized_events: [...CHECKOUT_EVENTS] };
    return secretFrom((await client.webhooks.update(endpoint.id, change)).data);
  }
  const body = { url, authorized_events: [...CHECKOUT_EVENTS], description: "Tillkit in Medusa" };
  return secretFrom((await client.webhooks.create(body)).data);
}

function secretFrom({ id, secret }: ServiceWebhookEndpoint): Pick<StoredEndpoint, "endpoint" | "secret"> {
  if (id !== undefined && secret !== undefined) return { endpoint: id, secret };
  throw new CheckoutError(
    "configuration_invalid",
    "The service returned no secret for the webhook: register it with `tillkit webhooks create` and set webhookSecrets.",
  );
}
