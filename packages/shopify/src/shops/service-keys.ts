import { createHash } from "node:crypto";
import type { Environment } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { shopHandle } from "../shop-domain.ts";

export const ENVIRONMENTS: readonly Environment[] = ["test", "live"];

/** The environments for which a shop has a key of the service. */
export async function storedKeys(
  { credentials }: Pick<AppContext, "credentials">,
  shop: string,
): Promise<Readonly<Record<Environment, boolean>>> {
  const credentialsOfShop = await credentials.list({ storeId: shop });
  return {
    test: credentialsOfShop.some(({ environment }) => environment === "test"),
    live: credentialsOfShop.some(({ environment }) => environment === "live"),
  };
}

/** The credential id that every payment of the shop stores. It stays the same when the owner replaces the key. */
export function credentialId(shop: string, environment: Environment): string {
  return `shopify-${environment}-${shop}`;
}

const LONGEST_NAME = 48;

/** The last part of a shop's webhook address. Test and live have different addresses, so that their events are told apart. */
function endpointId(shop: string, environment: Environment): string {
  const name = shopHandle(shop);
  if (name.length <= LONGEST_NAME) return `${environment}_${name}`;
  return `${environment}_${createHash("sha256").update(shop).digest("hex").slice(0, LONGEST_NAME)}`;
}

export function webhookAddress({ config }: Pick<AppContext, "config">, shop: string, environment: Environment): string {
  return `${config.publicUrl}/hooks/service/${endpointId(shop, environment)}`;
}

export type ServiceKey = { readonly apiKey: string; readonly webhookSecret: string };

/** @throws CheckoutError `configuration_invalid`, `ledger_busy` */
export async function saveServiceKey(
  context: AppContext,
  shop: string,
  environment: Environment,
  { apiKey, webhookSecret }: ServiceKey,
): Promise<void> {
  await context.credentials.put({
    id: credentialId(shop, environment),
    storeIds: [shop],
    apiKey,
    baseUrl: context.config.service.baseUrl,
    endpointId: endpointId(shop, environment),
    webhookSecrets: [webhookSecret],
  });
}
