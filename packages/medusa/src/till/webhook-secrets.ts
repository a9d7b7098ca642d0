import { createHash } from "node:crypto";
import type { ServiceClient, ServiceWebhookEndpoint } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { CheckoutError, type Clock, type Environment, type Ledger, type Log, type Random } from "@tillkit/core";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import type { ReadOptions } from "../options/options.ts";

export type WebhookRegistration = {
  readonly options: Pick<ReadOptions, "apiKey" | "storeId" | "endpointId" | "webhookSecrets" | "registerWebhookAt">;
  readonly environment: Environment;
  readonly ledger: Ledger;
  readonly client: Pick<ServiceClient, "webhooks">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

const KIND = "webhook";
/** `key`: a digest of the API key that registered it, for another account's webhook is another one. */
const keptSchema = z.object({ url: z.string(), secret: z.string(), endpoint: z.string(), key: z.string() });
type Kept = z.output<typeof keptSchema>;

/**
 * The secrets that deliveries may be signed with. With `registerWebhookAt` the webhook is registered once, at the first boot
 * (POST /webhooks), and its secret, which the service shows only then, is kept sealed in our tables.
 * @throws CheckoutError `configuration_invalid`, ServiceError: nobody could tell us a secret
 */
export async function webhookSecretsOf(registration: WebhookRegistration): Promise<readonly string[]> {
  const { options, environment } = registration;
  if (options.registerWebhookAt === undefined) return options.webhookSecrets;
  const url = `${options.registerWebhookAt.replace(/\/+$/, "")}/tillkit/webhooks/${options.endpointId}`;
  const name = `${environment}:${options.endpointId}`;
  const secret = (await keptSecret(registration, name, url)) ?? (await registerAlone(registration, name, url));
  return [secret, ...options.webhookSecrets];
}

async function keptSecret({ ledger, options }: WebhookRegistration, name: string, url: string): Promise<string | null> {
  const kept = readKept((await ledger.secrets.get(options.storeId, KIND, name))?.value);
  return kept?.url === url && kept.key === digestOf(options.apiKey) ? kept.secret : null;
}

function readKept(value: unknown): Kept | null {
  const read = keptSchema.safeParse(value);
  return read.success ? read.data : null;
}

function digestOf(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}

// Several processes boot together: one registers, the others wait for what it keeps.
async function registerAlone(registration: WebhookRegistration, name: string, url: string): Promise<string> {
  const { ledger, options, clock, random } = registration;
  const lock = { storeId: options.storeId, orderId: `webhook ${name}` };
  const giveUpAt = clock.now() + pluginLimits.registerWaitMs;
  do {
    const fence = await ledger.lockOrder(lock, random.uuid(), clock.now(), pluginLimits.registerWaitMs);
    if (fence !== null) {
      try {
        return (await keptSecret(registration, name, url)) ?? (await register(registration, name, url));
      } finally {
        await ledger.unlockOrder(lock, fence);
      }
    }
    await clock.sleep(pluginLimits.registerLookMs);
    const kept = await keptSecret(registration, name, url);
    if (kept !== null) return kept;
  } while (clock.now() < giveUpAt);
  throw new CheckoutError("configuration_invalid", "Another process is registering the webhook: start this one again.");
}

async function register(registration: WebhookRegistration, name: string, url: string): Promise<string> {
  const { ledger, options, log } = registration;
  const before = await ledger.secrets.get(options.storeId, KIND, name);
  const kept = readKept(before?.value);
  const { endpoint, secret } = await askForSecret(registration, url, kept);
  const value: Kept = { url, secret, endpoint, key: digestOf(options.apiKey) };
  await ledger.secrets.put(options.storeId, KIND, name, value, before?.version ?? "new");
  log.info("webhook.registered", { url });
  return secret;
}

// An endpoint of this address may be there: ours, under another key of the same account, or one from a boot that was cut off
// or from other tables, whose secret nobody has: it is renewed.
async function askForSecret(
  { client }: WebhookRegistration,
  url: string,
  kept: Kept | null,
): Promise<Pick<Kept, "endpoint" | "secret">> {
  for await (const endpoint of client.webhooks.list()) {
    if (endpoint.url !== url || endpoint.id === undefined) continue;
    if (endpoint.id === kept?.endpoint) return kept;
    const change = { rotate_secret: true, is_active: true, authorized_events: [...CHECKOUT_EVENTS] };
    return secretIn((await client.webhooks.update(endpoint.id, change)).data);
  }
  const body = { url, authorized_events: [...CHECKOUT_EVENTS], description: "Tillkit in Medusa" };
  return secretIn((await client.webhooks.create(body)).data);
}

function secretIn({ id, secret }: ServiceWebhookEndpoint): Pick<Kept, "endpoint" | "secret"> {
  if (id !== undefined && secret !== undefined) return { endpoint: id, secret };
  throw new CheckoutError(
    "configuration_invalid",
    "The service showed no secret for the webhook: register it with `tillkit webhooks create` and set webhookSecrets.",
  );
}
