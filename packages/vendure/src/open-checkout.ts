import type { Engine, Ledger, Log } from "@tillkit/core";
import { type BackOffice, SHOP_REFUNDS } from "@tillkit/core/back-office";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import type { Injector } from "@vendure/core";
import { databaseUrlOf } from "./options/database-url.ts";
import type { ResolvedOptions, Shop } from "./options/options.ts";
import { createPaidOrdersTask } from "./order/restore-paid-orders.ts";
import { createRefundTasks } from "./refunds/refund-tasks.ts";
import { createVendureAdapter, type VendureAdapterOptions } from "./vendure-adapter.ts";
import { createVendureLog } from "./vendure-log.ts";
import { findServices, type VendureServices } from "./vendure-services.ts";

/** The parts that the payment handler, the resolvers and the routes of one Vendure server share. */
export type VendureCheckout = {
  readonly server: CheckoutServer;
  readonly engine: Engine;
  readonly backOffice: BackOffice;
  readonly ledger: Ledger;
  readonly services: VendureServices;
  readonly log: Log;
  readonly language: ResolvedOptions["language"];
  /** The codes of the channels that have a shop. */
  readonly shops: readonly string[];
  /** The adapter's options for the shop of this channel, or null if the channel has no shop. */
  shopOf(channelCode: string): VendureAdapterOptions | null;
  close(): Promise<void>;
};

/**
 * Opens the checkout beside Vendure: the ledger's tables in Vendure's own database, the adapter of each shop, and the work timer.
 * @throws CheckoutError `configuration_invalid`; DatabaseError
 */
export async function openCheckout(options: ResolvedOptions, injector: Injector): Promise<VendureCheckout> {
  const services = findServices(injector);
  const url = options.database ?? databaseUrlOf(services.databaseConnection);
  const schema = options.databaseSchema === "public" ? {} : { schema: options.databaseSchema };
  const log = createVendureLog();
  const ledger = await openLedger(url, { secretKeys: options.keys, log, ...schema });
  const shops = new Map(options.stores.map((shop) => [shop.channel, adapterOptionsOf(options, services, shop)]));
  const server = createServer(options, { ledger, log, shops, checkout: () => checkout });
  const engine = withDecisionPage(server.engine, options.adminUrl);
  const checkout: VendureCheckout = {
    server,
    engine,
    backOffice: { engine, acts: ledger, host: SHOP_REFUNDS },
    ledger,
    services,
    log,
    language: options.language,
    shops: [...shops.keys()],
    shopOf: (channelCode) => shops.get(channelCode) ?? null,
    async close() {
      await server.close();
      await ledger.close();
    },
  };
  server.startTimer();
  return checkout;
}

// Without the dashboard's address, the operators' pages decide.
function withDecisionPage(engine: Engine, adminUrl: string | undefined): Engine {
  if (adminUrl === undefined) return engine;
  const page = `${adminUrl}/tillkit-payments`;
  return { ...engine, decisionUrl: ({ id }) => `${page}?payment=${encodeURIComponent(id)}` };
}

type ServerParts = {
  readonly ledger: Ledger;
  readonly log: Log;
  readonly shops: ReadonlyMap<string, VendureAdapterOptions>;
  checkout(): VendureCheckout;
};

function createServer(options: ResolvedOptions, { ledger, log, shops, checkout }: ServerParts): CheckoutServer {
  const { publicUrl, keys, service, operators, amountUnit, autoRefund } = options;
  return createCheckoutServer({
    publicUrl,
    keys,
    ledger,
    log,
    amountUnit,
    autoRefund,
    stores: Object.fromEntries([...shops].map(([storeId, shop]) => [storeId, createVendureAdapter(shop)])),
    credentials: options.stores.map(({ channel, apiKey, endpointId, webhookSecrets, account }) => ({
      // The endpoint names the credential. The API key cannot, because shops may share a key and owners renew keys.
      id: `${endpointId}-${apiKey.startsWith("svc_sk_live_") ? "live" : "test"}`,
      storeIds: [channel],
      apiKey,
      baseUrl: service.baseUrl,
      endpointId,
      webhookSecrets,
      ...(account === undefined ? {} : { account }),
    })),
    scheduledTasks: [...createRefundTasks(checkout), createPaidOrdersTask(checkout)],
    ...(operators === undefined ? {} : { operators }),
  });
}

function adapterOptionsOf({ language }: ResolvedOptions, services: VendureServices, shop: Shop): VendureAdapterOptions {
  return { services, shop, language, context: () => services.contextOf(shop.channel) };
}
