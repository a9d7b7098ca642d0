import type { ServiceClient } from "@tillkit/client";
import { CheckoutError, type Clock, type Environment, type Ledger, type Log, type Random } from "@tillkit/core";
import { z } from "zod";
import { pluginLimits } from "../limits.ts";
import type { ReadOptions } from "../options/options.ts";

/** What our webhook is told of. */
const WEBHOOK_EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
] as const;

export type WebhookRegistration = {
  readonly options: Pick<ReadOptions, "storeId" | "endpointId" | "webhookSecrets" | "registerWebhookAt">;
  readonly environment: Environment;
  readonly ledger: Ledger;
  readonly client: Pick<ServiceClient, "webhooks">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

const KIND = "webhook";
const keptSchema = z.object({ url: z.string(), secret: z.string() });

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
  const kept = keptSchema.safeParse((await ledger.secrets.get(options.storeId, KIND, name))?.value);
  return kept.success && kept.data.url === url ? kept.data.secret : null;
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
  const secret = await askForSecret(registration, url);
  const before = await ledger.secrets.get(options.storeId, KIND, name);
  await ledger.secrets.put(options.storeId, KIND, name, { url, secret }, before?.version ?? "new");
  log.info("webhook.registered", { url });
  return secret;
}

// An endpoint of this address may be there, from a boot that was cut off or from other tables: its secret is renewed.
async function askForSecret({ client }: WebhookRegistration, url: string): Promise<string> {
  for await (const endpoint of client.webhooks.list()) {
    if (endpoint.url !== url || endpoint.id === undefined) continue;
    const change = { rotate_secret: true, is_active: true, authorized_events: [...WEBHOOK_EVENTS] };
    return secretIn((await client.webhooks.update(endpoint.id, change)).data.secret);
  }
  const body = { url, authorized_events: [...WEBHOOK_EVENTS], description: "Tillkit in Medusa" };
  return secretIn((await client.webhooks.create(body)).data.secret);
}

function secretIn(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new CheckoutError(
    "configuration_invalid",
    "The service showed no secret for the webhook: register it with `tillkit webhooks create` and set webhookSecrets.",
  );
}
