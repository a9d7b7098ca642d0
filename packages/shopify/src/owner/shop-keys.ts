import { createHash } from "node:crypto";
import type { Environment } from "@tillkit/core";
import type { StoredCredentials } from "@tillkit/server";
import type { Desk } from "../app/desk.ts";
import { shopHandle } from "../shop/shop-domain.ts";

export const ENVIRONMENTS: readonly Environment[] = ["test", "live"];

/** Which keys of the service a shop has. */
export async function keysOf(
  { credentials }: { readonly credentials: Pick<StoredCredentials, "list"> },
  shop: string,
): Promise<Readonly<Record<Environment, boolean>>> {
  const own = (await credentials.list()).filter(({ storeIds }) => storeIds.includes(shop));
  return {
    test: own.some(({ environment }) => environment === "test"),
    live: own.some(({ environment }) => environment === "live"),
  };
}

/** Kept with every payment of the shop, whatever key it has at the time. */
export function credentialId(shop: string, environment: Environment): string {
  return `shopify-${environment}-${shop}`;
}

const LONGEST_NAME = 48;

/** The last part of the webhook address of a shop: test and live apart, so that the service's events are, too. */
function endpointId(shop: string, environment: Environment): string {
  const name = shopHandle(shop);
  if (name.length <= LONGEST_NAME) return `${environment}_${name}`;
  return `${environment}_${createHash("sha256").update(shop).digest("hex").slice(0, LONGEST_NAME)}`;
}

export function webhookAddress({ config }: Pick<Desk, "config">, shop: string, environment: Environment): string {
  return `${config.publicUrl}/hooks/service/${endpointId(shop, environment)}`;
}

export type KeyWish = { readonly apiKey: string; readonly webhookSecret: string };

/** @throws CheckoutError `configuration_invalid`, `ledger_busy` */
export async function putKey(desk: Desk, shop: string, environment: Environment, wish: KeyWish): Promise<void> {
  await desk.credentials.put({
    id: credentialId(shop, environment),
    storeIds: [shop],
    apiKey: wish.apiKey,
    baseUrl: desk.config.service.baseUrl,
    endpointId: endpointId(shop, environment),
    webhookSecrets: [wish.webhookSecret],
  });
}
