import { CheckoutError, systemClock } from "@tillkit/core";
import { createTenants } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import {
  type CheckResult,
  createWebhookRoundTrip,
  credentialsOf,
  type Diagnosis,
  environmentOf,
  examineKeyOfService,
  hasWebhookSecrets,
  isPairable,
  listedStores,
  resolveStore,
  unpairedOf,
  webhookSecretsOf,
} from "@tillkit/php-bridge";
import type { StoreConfig, WooCommerceConfig } from "../config/schema.ts";
import { WOOCOMMERCE } from "../protocol/platform.ts";
import { createWooStore } from "../store/woo-store.ts";
import { examineAddress } from "./examine-address.ts";
import { examineKey } from "./examine-key.ts";
import { examinePlugin } from "./examine-plugin.ts";

/**
 * Checks every shop of a configuration without changing anything. The checkout server should be running.
 * @throws CheckoutError `configuration_invalid` where owners connect their shops: the configuration names no shop to check
 */
export async function* examineWooCommerce(config: WooCommerceConfig): AsyncGenerator<Diagnosis> {
  if (config.stores === "self-service") throw new CheckoutError("configuration_invalid", namesNoShop(config));
  const { stores, unpaired } = await readStores(config);
  const tenants = createTenants({
    credentials: credentialsOf({ ...config, stores: [...stores] }).filter(hasWebhookSecrets),
  });
  const engine = { tenants, clock: systemClock };
  const roundTrip = createWebhookRoundTrip({ config, engine });
  for (const store of stores) {
    if (unpaired.has(store.id)) {
      yield* forStore(store, [{ check: "pairing", status: "error", message: NOT_PAIRED }]);
      continue;
    }
    const environment = environmentOf(store);
    const connection = createWooStore({ ...store, storeId: store.id, environment, clock: systemClock });
    const address = await examineAddress(store.url, systemClock.now);
    yield* forStore(store, address);
    if (!address.some(({ status }) => status === "error")) {
      yield* forStore(store, await examineKey(connection.rest, { isSigned: store.consumerKey === undefined }));
      yield* forStore(store, await examinePlugin(connection.plugin, store, config));
    }
    yield* forStore(store, await examineKeyOfService(engine, store.id, environment));
    const webhookProblem = await roundTrip(store, environment);
    yield* forStore(store, [
      webhookProblem === null
        ? {
            check: "webhooks",
            status: "ok",
            message: "A test webhook of the service arrived through the public address.",
          }
        : {
            check: "webhooks",
            status: "error",
            message: `A test webhook of the service did not arrive. ${webhookProblem}`,
          },
    ]);
  }
}

const NOT_PAIRED =
  "The shop is not connected yet: open WooCommerce, Settings, Payments, Tillkit, and press the button Connect with the checkout server.";

const namesNoShop = ({ publicUrl }: WooCommerceConfig) =>
  `The shops connect themselves, so this configuration names none to check. Each owner presses Check now in the settings of the plugin. For the server, run tillkit doctor --server ${publicUrl}.`;

/** The shops with the secrets of their pairings, which are in the database, and the ids of those that are not paired. */
async function readStores(config: WooCommerceConfig) {
  // A configuration with all secrets needs no database, which may be on another machine.
  const listed = listedStores(config);
  const ledger = listed.some(isPairable)
    ? await openLedger(config.database, { secretKeys: config.keys })
    : NOTHING_STORED;
  try {
    const stores: ExaminedStore[] = [];
    for (const store of listed) {
      const webhookSecrets = [...(await webhookSecretsOf(store, ledger))];
      stores.push({ ...(await resolveStore(WOOCOMMERCE, store, ledger.secrets, Date.now())), webhookSecrets });
    }
    return { stores, unpaired: new Set(await unpairedOf(WOOCOMMERCE, listed, ledger)) };
  } finally {
    await ledger.close();
  }
}

type ExaminedStore = StoreConfig & { readonly webhookSecrets: string[] };

const NOTHING_STORED = {
  secrets: { get: async () => null },
  credentials: { find: async () => [] },
  close: async () => {},
};

function forStore({ id }: StoreConfig, results: readonly CheckResult[]): readonly Diagnosis[] {
  return results.map((result) => ({ storeId: id, ...result }));
}
