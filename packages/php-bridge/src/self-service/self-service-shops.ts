import { createNodeTransport, isLoopbackUrl, type Transport } from "@tillkit/client";
import type { Ledger } from "@tillkit/core";
import type { CredentialKey } from "@tillkit/core/ledger";
import {
  createInvitations,
  createStoreRegistry,
  type Invitations,
  isServed,
  type RegisteredStore,
  registeredEndpointId,
  type StoreRegistry,
  takesPayments,
} from "@tillkit/server";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import type { BridgedConfig, StoreConfig } from "../config/schema.ts";
import { type ConnectedStores, type ConnectOptions, connectStore } from "../connect-stores.ts";
import { readLink } from "../pairing/pairings.ts";
import type { ServedPlatform } from "../served-platform.ts";
import { serverLimits } from "../server-limits.ts";
import { type ConnectionAttempts, createConnectionAttempts } from "./connection-attempts.ts";

/** The shops that their owners connected, in the ledger. */
export type SelfServiceShops = {
  readonly registry: StoreRegistry;
  readonly invitations: Invitations;
  readonly attempts: ConnectionAttempts;
  /** Requests go to public addresses only, because strangers name them, unless this server itself is a trial on one machine. */
  readonly publicOnly: boolean;
};

/**
 * Reads a shop when it is needed, and again after a few seconds: what another process changed takes effect then, and thousands of idle
 * shops cost nothing.
 */
export function openSelfServiceShops(
  options: ConnectOptions,
): ConnectedStores & { readonly selfService: SelfServiceShops } {
  const { platform, config, ledger } = options;
  const { clock } = options.host;
  const registry = createStoreRegistry(ledger.records, clock);
  const { publicOnly, transport } = openShopCalls(config);
  const host = { ...options.host, transport };
  const known = new Map<string, Known>();

  async function read(storeId: string): Promise<(StoreConfig & Pick<ConnectedStore, "takesPayments">) | null> {
    const store = await registry.find(storeId);
    if (store === null || !isServed(store)) return null;
    const found = await readConnectedShop(platform, ledger, store, clock.now());
    return found && { ...found.config, takesPayments: takesPayments(store) };
  }

  async function find(storeId: string): Promise<ConnectedStore | undefined> {
    const before = known.get(storeId);
    const age = clock.now() - (before?.readAt ?? Number.NEGATIVE_INFINITY);
    if (before !== undefined && age >= 0 && age < serverLimits.pairingReadMs) return before.store;
    const found = await read(storeId);
    known.delete(storeId);
    if (found === null) return undefined;
    const content = JSON.stringify(found);
    const { takesPayments: mayPay, ...storeConfig } = found;
    // The engine keeps what it knows of an adapter as long as the object stays the same.
    const store = before?.content === content ? before.store : connectStore(platform, storeConfig, host, mayPay);
    known.set(storeId, { store, content, readAt: clock.now() });
    const [oldest] = known.keys();
    if (known.size > serverLimits.knownShops && oldest !== undefined) known.delete(oldest);
    return store;
  }

  return {
    shops: { find, ids: registry.ids },
    canChange: true,
    async refresh({ now = false } = {}) {
      if (now) for (const [id, shop] of known) known.set(id, { ...shop, readAt: Number.NEGATIVE_INFINITY });
    },
    selfService: {
      registry,
      invitations: createInvitations(ledger.records, clock),
      attempts: createConnectionAttempts(ledger.records, clock),
      publicOnly,
    },
  };
}

export type ShopCalls = Pick<SelfServiceShops, "publicOnly"> & { readonly transport: Transport };

/** How requests to shops that strangers name are sent. */
export function openShopCalls({ publicUrl }: Pick<BridgedConfig, "publicUrl">): ShopCalls {
  const publicOnly = !isLoopbackUrl(publicUrl);
  const maxConnections = Number.POSITIVE_INFINITY;
  return { publicOnly, transport: createNodeTransport({ keepAlive: false, maxConnections, publicOnly }) };
}

/** A connected shop with its secrets, and the key that its payments use; null where link or key is missing. */
export async function readConnectedShop(
  platform: ServedPlatform,
  { secrets, credentials }: Pick<Ledger, "secrets" | "credentials">,
  store: RegisteredStore,
  now: number,
): Promise<{ readonly config: StoreConfig; readonly key: CredentialKey } | null> {
  const { storeId } = store;
  const [link, keys] = await Promise.all([readLink(platform, storeId, secrets, now), credentials.find({ storeId })]);
  const key = keys.find(({ environment }) => environment === "live") ?? keys[0];
  if (link === null || key === undefined) return null;
  return { config: { ...platform.ownSettings, ...configOf(store, key), ...link }, key };
}

/** `content`: the text of what the shop was connected with. */
type Known = { readonly store: ConnectedStore; readonly content: string; readonly readAt: number };

function configOf(
  { storeId, address, name, currencies, language }: RegisteredStore,
  { apiKey, environment }: CredentialKey,
): Omit<StoreConfig, "linkSecret"> {
  return {
    id: storeId,
    url: address,
    ...(name === null ? {} : { name }),
    apiKey,
    endpointId: registeredEndpointId(storeId, environment),
    currencies: currencies as StoreConfig["currencies"],
    language,
    onMismatch: "notify",
  };
}

/** The parts of the context that a connected shop needs. @throws Error where the configuration lists the shops */
export function selfServiceOf({ selfService }: Pick<AppContext, "selfService">): SelfServiceShops {
  if (selfService === null) throw new Error("The configuration of this server lists its shops.");
  return selfService;
}
