import type { Clock, CredentialConfig, Ledger } from "@tillkit/core";
import type { ReadOrderMoney } from "../adapter/show-decision.ts";
import { createWooCommerceAdapter } from "../adapter/woocommerce-adapter.ts";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import { credentialsOf, environmentOf } from "../config/credentials.ts";
import type { StoreConfig, WooCommerceConfig } from "../config/schema.ts";
import { wooLimits } from "../limits.ts";
import { isPairable, resolveStore } from "../pairing/pairings.ts";
import { createWooStore } from "../store/woo-store.ts";

export type ConnectOptions = {
  readonly config: WooCommerceConfig;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly readMoney: ReadOrderMoney;
};

/** The shops of a configuration. Those without secrets of their own change while the program runs, when an owner pairs them. */
export type ConnectedStores = {
  readonly stores: ReadonlyMap<string, ConnectedStore>;
  /** Whether an owner can pair one of the shops. */
  readonly canChange: boolean;
  credentials(): readonly CredentialConfig[];
  /** Calls `listener` with all credentials after each reading of a pairing that this process did not know. */
  onChange(listener: (credentials: readonly CredentialConfig[]) => Promise<void>): void;
  readonly refresh: AppContext["refreshStores"];
};

export async function connectStores({ config, ledger, clock, readMoney }: ConnectOptions): Promise<ConnectedStores> {
  const stores = new Map<string, ConnectedStore>();
  const listeners: ((credentials: readonly CredentialConfig[]) => Promise<void>)[] = [];
  const canChange = config.stores.some(isPairable);
  let lastReadAt = Number.NEGATIVE_INFINITY;

  /** Connects every shop with the secrets that are stored now. Returns whether a shop is new or has other secrets than before. */
  async function readAll(): Promise<boolean> {
    let hasChanged = false;
    for (const configured of config.stores) {
      const known = stores.get(configured.id);
      if (known !== undefined && !isPairable(configured)) continue;
      const resolved = await resolveStore(configured, ledger.secrets);
      if (known !== undefined && hasSameSecrets(known.config, resolved)) continue;
      stores.set(configured.id, connectStore(resolved, clock, readMoney));
      hasChanged = true;
    }
    return hasChanged;
  }

  const credentials = () =>
    credentialsOf(
      [...stores.values()].map((store) => store.config),
      config.service.baseUrl,
    );
  await readAll();

  return {
    stores,
    canChange,
    credentials,
    onChange: (listener) => void listeners.push(listener),
    async refresh({ now = false } = {}) {
      const wasReadRecently = clock.now() - lastReadAt < wooLimits.pairingReadMs;
      if (!canChange || (wasReadRecently && !now)) return;
      lastReadAt = clock.now();
      const hasChanged = await readAll();
      if (!hasChanged) return;
      for (const listener of listeners) await listener(credentials());
    },
  };
}

function hasSameSecrets(one: StoreConfig, other: StoreConfig): boolean {
  const secretsOf = ({ linkSecret, previousLinkSecret, webhookSecrets }: StoreConfig) =>
    JSON.stringify([linkSecret, previousLinkSecret, webhookSecrets]);
  return secretsOf(one) === secretsOf(other);
}

function connectStore(config: StoreConfig, clock: Clock, readMoney: ReadOrderMoney): ConnectedStore {
  const { linkSecret, previousLinkSecret } = config;
  const connection = createWooStore({ ...config, storeId: config.id, environment: environmentOf(config), clock });
  return {
    config,
    connection,
    adapter: createWooCommerceAdapter(connection, readMoney),
    environment: environmentOf(config),
    linkSecrets: [linkSecret, ...(previousLinkSecret === undefined ? [] : [previousLinkSecret])],
  };
}
