import type { Ledger } from "@tillkit/core";
import type { AppContext, ConnectedStore, Shops } from "./app-context.ts";
import { type BridgedConfig, listedStores, type StoreConfig } from "./config/schema.ts";
import { isPairable, resolveStore } from "./pairing/pairings.ts";
import type { ConnectHost, ServedPlatform } from "./served-platform.ts";
import { serverLimits } from "./server-limits.ts";

export type ConnectOptions = {
  readonly platform: ServedPlatform;
  readonly config: BridgedConfig;
  readonly ledger: Ledger;
  readonly host: ConnectHost;
};

/** The shops of a configuration. Those without secrets of their own change while the program runs, when an owner pairs them. */
export type ConnectedStores = {
  readonly shops: Shops;
  /** Whether an owner can pair one of the shops. */
  readonly canChange: boolean;
  readonly refresh: AppContext["refreshStores"];
};

export async function connectStores({ platform, config, ledger, host }: ConnectOptions): Promise<ConnectedStores> {
  const stores = new Map<string, ConnectedStore>();
  const listed = listedStores(config);
  const canChange = listed.some(isPairable);
  let lastReadAt = Number.NEGATIVE_INFINITY;

  /** Connects every shop with the secrets that are stored now. */
  async function readAll(): Promise<void> {
    for (const configured of listed) {
      const known = stores.get(configured.id);
      if (known !== undefined && !isPairable(configured)) continue;
      const resolved = await resolveStore(platform, configured, ledger.secrets, host.clock.now());
      if (known !== undefined && hasSameSecrets(known.config, resolved)) continue;
      stores.set(configured.id, connectStore(platform, resolved, host, true));
    }
  }

  await readAll();
  return {
    shops: { find: async (storeId) => stores.get(storeId), ids: async () => [...stores.keys()] },
    canChange,
    async refresh({ now = false } = {}) {
      const ageMs = host.clock.now() - lastReadAt;
      // A negative age is unknown: the clock was set back since.
      const wasReadRecently = ageMs >= 0 && ageMs < serverLimits.pairingReadMs;
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
  platform: ServedPlatform,
  config: StoreConfig,
  host: ConnectHost,
  takesPayments: boolean,
): ConnectedStore {
  const { connection, adapter } = platform.connect(config, host);
  const { environment, linkSecrets } = connection;
  return { config, connection, adapter, environment, linkSecrets, takesPayments };
}
