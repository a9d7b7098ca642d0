import type { Transport } from "@tillkit/client";
import type { Clock, Ledger, Log } from "@tillkit/core";
import type { ReadOrderMoney } from "./adapter/show-decision.ts";
import { createWooCommerceAdapter } from "./adapter/woocommerce-adapter.ts";
import type { AppContext, ConnectedStore, Shops } from "./app-context.ts";
import { environmentOf } from "./config/credentials.ts";
import { listedStores, type StoreConfig, type WooCommerceConfig } from "./config/schema.ts";
import { wooLimits } from "./limits.ts";
import { isPairable, resolveStore } from "./pairing/pairings.ts";
import { createWooStore } from "./store/woo-store.ts";

export type ConnectOptions = {
  readonly config: WooCommerceConfig;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly readMoney: ReadOrderMoney;
  readonly log: Log;
};

/** `transport`: sends the requests to the shop; Node's own connections unless set. */
export type ConnectHost = Pick<ConnectOptions, "clock" | "readMoney" | "log"> & { readonly transport?: Transport };

/** The shops of a configuration. Those without secrets of their own change while the program runs, when an owner pairs them. */
export type ConnectedStores = {
  readonly shops: Shops;
  /** Whether an owner can pair one of the shops. */
  readonly canChange: boolean;
  readonly refresh: AppContext["refreshStores"];
};

export async function connectStores({ config, ledger, ...host }: ConnectOptions): Promise<ConnectedStores> {
  const stores = new Map<string, ConnectedStore>();
  const listed = listedStores(config);
  const canChange = listed.some(isPairable);
  let lastReadAt = Number.NEGATIVE_INFINITY;

  /** Connects every shop with the secrets that are stored now. */
  async function readAll(): Promise<void> {
    for (const configured of listed) {
      const known = stores.get(configured.id);
      if (known !== undefined && !isPairable(configured)) continue;
      const resolved = await resolveStore(configured, ledger.secrets);
      if (known !== undefined && hasSameSecrets(known.config, resolved)) continue;
      stores.set(configured.id, connectStore(resolved, host, true));
    }
  }

  await readAll();
  return {
    shops: { find: async (storeId) => stores.get(storeId), ids: async () => [...stores.keys()] },
    canChange,
    async refresh({ now = false } = {}) {
      const wasReadRecently = host.clock.now() - lastReadAt < wooLimits.pairingReadMs;
      if (!canChange || (wasReadRecently && !now)) return;
      lastReadAt = host.clock.now();
      await readAll();
    },
  };
}

function hasSameSecrets(one: StoreConfig, other: StoreConfig): boolean {
  return one.linkSecret === other.linkSecret && one.previousLinkSecret === other.previousLinkSecret;
}

export function connectStore(
  config: StoreConfig,
  { clock, readMoney, log, transport }: ConnectHost,
  takesPayments: boolean,
): ConnectedStore {
  const environment = environmentOf(config);
  const connection = createWooStore({ ...config, storeId: config.id, environment, clock, log, transport });
  return {
    config,
    connection,
    adapter: createWooCommerceAdapter(connection, readMoney),
    environment,
    linkSecrets: connection.linkSecrets,
    takesPayments,
  };
}
