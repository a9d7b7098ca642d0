import { fork } from "node:child_process";
import { once } from "node:events";
import { systemClock } from "@tillkit/core";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { saveLinkSecret } from "@tillkit/php-bridge";
import { createStoreRegistry, registeredEndpointId } from "@tillkit/server";
import { bundleProgram } from "../../../../test/programs/bundle-program.ts";
import { WOOCOMMERCE } from "../../src/protocol/platform.ts";

/** The tables in which a connection leaves rows. */
const TABLES = [
  "tillkit_versions",
  "tillkit_credentials",
  "tillkit_credential_stores",
  "tillkit_records",
  "tillkit_secrets",
];

/** What a bench knows of a shop that it connects. */
export type BenchShop = {
  readonly storeId: string;
  readonly address: string;
  readonly apiKey: string;
  readonly linkSecret: string;
  readonly webhookSecret: string;
};

/**
 * Connects shops that nobody can reach, at a service that refuses every call. They are written to a file of SQLite, because a row at a time
 * takes PostgreSQL an hour on a busy machine, and copied to `database` where it is another.
 */
export async function connectShops(file: string, database: string, key: string, count: number): Promise<void> {
  const ledger = await openLedger(file, { secretKeys: [key] });
  for (let number = 0; number < count; number += 1) {
    const shop = {
      storeId: `shop-${number}`,
      address: `https://shop-${number}.example`,
      apiKey: `svc_sk_test_of_shop_${number}`,
      linkSecret: `the link secret of shop ${number}, which is long enough`,
      webhookSecret: `whsec_of_shop_${number}`,
    };
    await connectShop(ledger, shop, "http://127.0.0.1:9");
  }
  await ledger.close();
  if (file === database) return;
  await (await openLedger(database, { secretKeys: [key] })).close();
  const program = await bundleProgram(new URL("../../../ledger/test/programs/copy-rows.ts", import.meta.url));
  const [code] = await once(fork(program.file, [file, database, ...TABLES], { execArgv: [] }), "exit");
  await program.remove();
  if (code !== 0) throw new Error(`The rows were not copied: the program ended with ${code}.`);
}

/** Writes what the connection of a shop leaves in the ledger. */
export async function connectShop(ledger: Ledger, shop: BenchShop, serviceUrl: string): Promise<void> {
  const { storeId, address, apiKey, linkSecret, webhookSecret } = shop;
  const now = Date.now();
  const id = registeredEndpointId(storeId, "test");
  await saveLinkSecret(WOOCOMMERCE, storeId, linkSecret, ledger.secrets, now);
  await ledger.credentials.put({
    ...{ id, storeIds: [storeId], environment: "test", apiKey, endpointId: id },
    baseUrl: serviceUrl,
    webhookSecrets: [webhookSecret],
  });
  const facts = { name: `Shop ${storeId}`, currencies: ["XOF"], language: "fr", pluginVersion: "0.1.0" } as const;
  const times = { stateSince: now, connectedAt: now, linkedAt: now };
  const registry = createStoreRegistry(ledger.records, systemClock);
  await registry.put({ storeId, address, state: "connected", ...facts, ...times }, null);
}
