import { createServiceClient, type ServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { codeOf, type Environment } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { type ServiceKey, webhookAddress } from "./service-keys.ts";

/**
 * The result of a check of a key at the service.
 * `verified`: the key works in this environment, and a webhook leads to this app. `no_webhook`: the key works without a webhook.
 * `not_checked`: the service did not answer. `refused`: the service does not accept the key. `not_registered`: the key works or
 * was not checked, and the app could not register its webhook.
 */
export type KeyCheck =
  | { readonly status: "verified" | "no_webhook" | "not_checked"; readonly webhookSecret: string }
  | { readonly status: "refused" | "not_registered" };

/** Checks a key with a call to the service. Where the owner entered no webhook secret, the app registers its webhook. */
export async function connectServiceKey(
  context: AppContext,
  shop: string,
  environment: Environment,
  { apiKey, webhookSecret }: ServiceKey,
): Promise<KeyCheck> {
  const { config, log } = context;
  const url = webhookAddress(context, shop, environment);
  try {
    const client = clientFor(config.service.baseUrl, apiKey);
    const endpoint = await findEndpoint(client, url);
    if (endpoint?.environment !== undefined && endpoint.environment !== environment) return { status: "refused" };
    if (webhookSecret === "") return await register(client, url, endpoint?.id);
    return { status: endpoint && endpoint.isActive !== false ? "verified" : "no_webhook", webhookSecret };
  } catch (error) {
    const code = codeOf(error);
    log.warn("shopify.key_not_verified", { storeId: shop, environment, code });
    if (REFUSALS.has(code)) return { status: "refused" };
    return webhookSecret === "" ? { status: "not_registered" } : { status: "not_checked", webhookSecret };
  }
}

function clientFor(baseUrl: string, apiKey: string): ServiceClient {
  return createServiceClient({ apiKey, baseUrl, deadlineMs: shopifyLimits.keyCheckMs });
}

const REFUSALS: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "api_access_suspended", "key_invalid"]);

// The service shows a webhook secret only once, so an endpoint that exists already gets a new secret.
async function register(client: ServiceClient, url: string, endpointId: string | undefined): Promise<KeyCheck> {
  const authorized_events = [...CHECKOUT_EVENTS];
  const { data } =
    endpointId === undefined
      ? await client.webhooks.create({ url, authorized_events })
      : await client.webhooks.update(endpointId, { rotate_secret: true, is_active: true, authorized_events });
  return data.secret === undefined ? { status: "not_registered" } : { status: "verified", webhookSecret: data.secret };
}

async function findEndpoint({ webhooks }: Pick<ServiceClient, "webhooks">, url: string) {
  for await (const endpoint of webhooks.list()) if (endpoint.url === url) return endpoint;
  return null;
}
