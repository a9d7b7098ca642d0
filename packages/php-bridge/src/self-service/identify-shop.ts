import { constantTimeEqual } from "@tillkit/client/webhooks";
import { isServed, type RegisteredStore } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { readLink } from "../pairing/pairings.ts";
import { isSigned } from "../signature.ts";
import { finishLeaving } from "./leave-shop.ts";
import { selfServiceOf } from "./self-service-shops.ts";

/** Who presses the button, as the plugin says. Only `proof` proves something: it is signed with the link secret of `storeId`. */
export type ShopClaim = {
  readonly address: string;
  /** The one-time code of the plugin, to which `proof` is bound. */
  readonly code: string;
  /** Empty for a shop that was not connected before. */
  readonly storeId: string;
  readonly proof: string;
};

/**
 * `new`: nobody holds the address. `again`: the shop that holds it. `taken`: another shop holds it, or the same one after it lost its link
 * secret. `elsewhere`: a shop that is connected at another address: it has moved, or this is a copy of it.
 */
export type ShopIdentity =
  | { readonly kind: "new" }
  | { readonly kind: "again" | "taken" | "elsewhere"; readonly store: RegisteredStore };

export async function identifyShop(context: AppContext, claim: ShopClaim): Promise<ShopIdentity> {
  const { registry } = selfServiceOf(context);
  const [found, proven] = await Promise.all([registry.findByAddress(claim.address), findProven(context, claim)]);
  const holder = found === null ? null : await finishLeaving(context, found);
  if (holder !== null) return { kind: holder.storeId === proven?.storeId ? "again" : "taken", store: holder };
  const elsewhere = proven ?? (await findMoving(context, claim));
  return elsewhere === null ? { kind: "new" } : { kind: "elsewhere", store: elsewhere };
}

/**
 * The store that began to move to this address. The shop has a new link secret since then, and a process that died did not store it, so the
 * proof fails. The key of the service is asked for all the same.
 */
async function findMoving(context: AppContext, { storeId, address }: ShopClaim): Promise<RegisteredStore | null> {
  const { registry, attempts } = selfServiceOf(context);
  if ((await attempts.find(storeId))?.address !== address) return null;
  const store = await registry.find(storeId);
  return store !== null && isServed(store) ? store : null;
}

async function findProven(context: AppContext, { storeId, code, proof }: ShopClaim): Promise<RegisteredStore | null> {
  if (storeId === "") return null;
  const store = await selfServiceOf(context).registry.find(storeId);
  if (store === null || !isServed(store)) return null;
  const { platform, ledger, clock } = context;
  const link = await readLink(platform, storeId, ledger.secrets, clock.now());
  if (link === null) return null;
  const secrets = [
    link.linkSecret,
    ...(link.previousLinkSecret === undefined ? [] : [link.previousLinkSecret]),
  ] as const;
  return isSigned(["tillkit v1 pair", storeId, code], proof, secrets) ? store : null;
}

/**
 * Whether the shop was connected with this key of the service. Only its owner knows it: this server never shows a key. Where a live key is
 * stored, a test key proves nothing, because owners give it to developers.
 */
export async function hasServiceKey({ ledger }: AppContext, storeId: string, apiKey: string): Promise<boolean> {
  const keys = await ledger.credentials.find({ storeId });
  const live = keys.filter(({ environment }) => environment === "live");
  const proving = live.length > 0 ? live : keys;
  return proving.filter((key) => constantTimeEqual(key.apiKey, apiKey)).length > 0;
}
