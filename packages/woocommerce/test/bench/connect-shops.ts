import { systemClock } from "@tillkit/core";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { saveLinkSecret } from "@tillkit/php-bridge";
import { createStoreRegistry, registeredEndpointId } from "@tillkit/server";
import { WOOCOMMERCE } from "../../src/protocol/platform.ts";

/** What a bench knows of a shop that it connects. */
export type BenchShop = {
  readonly storeId: string;
  readonly address: string;
  readonly apiKey: string;
  readonly linkSecret: string;
  readonly webhookSecret: string;
};

const AT_ONCE = 4;

/** Shops that nobody can reach, at a service that refuses every call. */
export async function connectShops(database: string, key: string, count: number): Promise<void> {
  const ledger = await openLedger(database, { secretKeys: [key] });
  const shops = Array.from({ length: count }, (_, number) => ({
    storeId: `shop-${number}`,
    address: `https://shop-${number}.example`,
    apiKey: `svc_sk_test_of_shop_${number}`,
    linkSecret: `the link secret of shop ${number}, which is long enough`,
    webhookSecret: `whsec_of_shop_${number}`,
  }));
  for (let first = 0; first < count; first += AT_ONCE) {
    const some = shops.slice(first, first + AT_ONCE);
    await Promise.all(some.map((shop) => connectShop(ledger, shop, "http://127.0.0.1:9")));
  }
  await ledger.close();
}

/** Writes what the connection of a shop leaves in the ledger. */
export async function connectShop(ledger: Ledger, shop: BenchShop, serviceUrl: string): Promise<void> {
  const { storeId, address, apiKey, linkSecret, webhookSecret } = shop;
  const now = Date.now();
  const id = registeredEndpointId(storeId, "test");
  await saveLinkSecret(WOOCOMMERCE, storeId, linkSecret, ledger.secrets);
  await ledger.credentials.put({
    ...{ id, storeIds: [storeId], environment: "test", apiKey, endpointId: id },
    baseUrl: serviceUrl,
    webhookSecrets: [webhookSecret],
  });
  const facts = { name: `Shop ${storeId}`, currencies: ["XOF"], language: "fr", pluginVersion: "0.1.0" } as const;
  const times = { stateSince: now, connectedAt: now };
  const registry = createStoreRegistry(ledger.records, systemClock);
  await registry.put({ storeId, address, state: "connected", ...facts, ...times }, null);
}
