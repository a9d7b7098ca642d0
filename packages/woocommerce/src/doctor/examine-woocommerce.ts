import { type Engine, systemClock } from "@tillkit/core";
import { createTenants } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import {
  type CheckResult,
  createWebhookRoundTrip,
  credentialsOf,
  type Diagnosis,
  type ExamineOptions,
  environmentOf,
  examineConnectedShops,
  examineKeyOfService,
  hasWebhookSecrets,
  isPairable,
  listedStores,
  resolveStore,
  type ShopCalls,
  unknownShop,
  unpairedOf,
  type WebhookRoundTrip,
  webhookSecretsOf,
} from "@tillkit/php-bridge";
import type { StoreConfig, WooCommerceConfig } from "../config/schema.ts";
import { WOOCOMMERCE } from "../protocol/platform.ts";
import { SERVED_WOOCOMMERCE } from "../server/served-woocommerce.ts";
import { createWooStore } from "../store/woo-store.ts";
import { examineAddress } from "./examine-address.ts";
import { examineKey } from "./examine-key.ts";
import { examinePlugin } from "./examine-plugin.ts";

/**
 * Checks every shop without changing anything: those that the configuration lists, or those that their owners connected, each in one line.
 * Of one named shop every check is yielded. The checkout server should be running.
 * @throws CheckoutError `store_not_known` for a named shop that there is not; DatabaseError
 */
export async function* examineWooCommerce(
  config: WooCommerceConfig,
  options: ExamineOptions = {},
): AsyncGenerator<Diagnosis> {
  if (config.stores === "self-service")
    return yield* examineConnectedShops(
      SERVED_WOOCOMMERCE,
      config,
      (store, { engine, calls }) => {
        const roundTrip = createWebhookRoundTrip({ config, engine });
        return examineShop(store as StoreConfig, { config, engine, roundTrip, calls });
      },
      options,
    );
  const { stores, unpaired } = await readStores(config);
  const named = stores.filter(({ id }) => id === (options.store ?? id));
  if (named.length === 0) throw unknownShop(options.store ?? "");
  const tenants = createTenants({
    credentials: credentialsOf({ ...config, stores: [...stores] }).filter(hasWebhookSecrets),
  });
  const engine = { tenants, clock: systemClock };
  const roundTrip = createWebhookRoundTrip({ config, engine });
  for (const store of named) {
    const { id: storeId } = store;
    if (unpaired.has(storeId)) yield { storeId, check: "pairing", status: "error", message: NOT_PAIRED };
    else for await (const check of examineShop(store, { config, engine, roundTrip })) yield { storeId, ...check };
  }
}

type ExamineTools = {
  readonly config: WooCommerceConfig;
  readonly engine: Pick<Engine, "tenants" | "clock">;
  readonly roundTrip: WebhookRoundTrip;
  readonly calls?: ShopCalls;
};

async function* examineShop(
  store: StoreConfig,
  { config, engine, roundTrip, calls }: ExamineTools,
): AsyncGenerator<CheckResult> {
  const environment = environmentOf(store);
  const connection = createWooStore({
    ...store,
    storeId: store.id,
    environment,
    clock: engine.clock,
    transport: calls?.transport,
  });
  const address = await examineAddress(store.url, engine.clock.now, calls);
  yield* address;
  if (!address.some(({ status }) => status === "error")) {
    yield* await examineKey(connection.rest, { isSigned: store.consumerKey === undefined });
    yield* await examinePlugin(connection.plugin, store, config);
  }
  yield* await examineKeyOfService(engine, store.id, environment);
  const problem = await roundTrip(store, environment);
  yield problem === null
    ? { check: "webhooks", status: "ok", message: "A test webhook of the service arrived through the public address." }
    : { check: "webhooks", status: "error", message: `A test webhook of the service did not arrive. ${problem}` };
}

const NOT_PAIRED =
  "The shop is not connected yet: open WooCommerce, Settings, Payments, Tillkit, and press the button Connect with the checkout server.";

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
