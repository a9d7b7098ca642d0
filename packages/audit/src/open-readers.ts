import { existsSync } from "node:fs";
import type { Transport } from "@tillkit/client";
import { openLedger } from "@tillkit/ledger";
import { AuditError } from "./audit-error.ts";
import { type AuditConfig, type ShopConfig, shopName } from "./config.ts";
import { createExportReader } from "./readers/export/read-export.ts";
import { createLedgerReader } from "./readers/ledger.ts";
import { createMedusaReader } from "./readers/medusa.ts";
import type { MovementReader, OrderReader } from "./readers/reader.ts";
import { createServiceReader } from "./readers/service/read-service.ts";
import { createShopifyReader } from "./readers/shopify.ts";
import { createVendureReader } from "./readers/vendure.ts";
import { createWooCommerceReader } from "./readers/woocommerce.ts";

export type Readers = {
  readonly movements: readonly MovementReader[];
  readonly shops: readonly OrderReader[];
  close(): Promise<void>;
};

/** The readers of a configuration: one for each key and each shop. */
export async function openReaders({ service, shops }: AuditConfig, transport?: Transport): Promise<Readers> {
  const { url, account, amountUnit, orderFields } = service;
  const keys = [service.key, ...(service.testKey === undefined ? [] : [service.testKey])];
  const closing: (() => Promise<void>)[] = [];
  const opened = await Promise.all(shops.map((shop) => openShop(shop, transport, closing)));
  return {
    movements: keys.map((secretKey) =>
      createServiceReader({ baseUrl: url, secretKey, account, unit: amountUnit, orderFields, transport }),
    ),
    shops: opened,
    async close() {
      for (const close of closing) await close();
    },
  };
}

async function openShop(
  config: ShopConfig,
  transport: Transport | undefined,
  closing: (() => Promise<void>)[],
): Promise<OrderReader> {
  const shop = shopName(config);
  const { methods } = config;
  switch (config.platform) {
    case "woocommerce":
      return createWooCommerceReader({
        shop,
        methods,
        transport,
        url: config.url,
        consumerKey: config.key,
        consumerSecret: config.secret,
      });
    case "shopify":
      return createShopifyReader({ shop, methods, transport, url: config.url, token: config.token });
    case "medusa":
      return createMedusaReader({ shop, methods, transport, url: config.url, token: config.token });
    case "vendure":
      return createVendureReader({
        shop,
        methods,
        transport,
        url: config.url,
        user: config.user,
        password: config.password,
      });
    case "ledger": {
      const file = /^sqlite:([^:].*)$/.exec(config.database)?.[1];
      // Opening a mistyped address would create a new, empty ledger.
      if (file !== undefined && !existsSync(file))
        throw new AuditError("shop_unreachable", `There is no ledger at ${file}: check the path.`);
      const ledger = await openLedger(config.database, { schema: config.schema });
      closing.push(() => ledger.close());
      return createLedgerReader({ shop, ledger, storeId: config.store });
    }
    case "export": {
      const { file, columns, states, currency, zoneMinutes } = config;
      const words = new Map(Object.entries(states).map(([word, state]) => [word.toLowerCase(), state]));
      return createExportReader({ shop, methods, file, mapping: columns, states: words, currency, zoneMinutes });
    }
  }
}
