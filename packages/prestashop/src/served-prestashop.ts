import {
  type BridgedConnection,
  type BridgedStore,
  type ConnectHost,
  closeOrderByPlugin,
  createBridgedStore,
  environmentOf,
  findByPlugin,
  forOneCall,
  listOrdersByPlugin,
  type ServedPlatform,
} from "@tillkit/php-bridge";
import packageJson from "../package.json" with { type: "json" };
import { PRESTASHOP } from "./platform.ts";
import { createPrestaShopAdapter } from "./prestashop-adapter.ts";

/** PrestaShop, as the checkout server of PHP shops serves it. */
export const SERVED_PRESTASHOP: ServedPlatform = {
  ...PRESTASHOP,
  version: packageJson.version,
  connect(config, host) {
    const { clock, log, transport } = host;
    const environment = environmentOf(config);
    const store = createBridgedStore(PRESTASHOP, { ...config, storeId: config.id, environment, clock, log, transport });
    return { connection: createConnection(store, host), adapter: createPrestaShopAdapter(store, host) };
  },
  // The folder of the administration has a secret name.
  settingsPage: (url) => `${url}/`,
  hasOwnKey: () => false,
  ownSettings: {},
};

/** How long an order waits for a payment that nobody has begun. A pay link can be opened for a day. */
const ABANDONED_MS = 48 * 3_600_000;

function createConnection(store: BridgedStore, { keyOf, readMoney, hasOpenPayments }: ConnectHost): BridgedConnection {
  const { storeId, clock } = store;
  const readOrder: BridgedConnection["readOrder"] = async (ref) => await findByPlugin(store, ref, keyOf);
  return {
    ...store,
    readOrder,
    readForPayment: readOrder,
    async examine() {
      const ping = await store.plugin.call("ping", {});
      return ping.kind === "answered" && ping.status === 200 ? "by-plugin" : "unreachable";
    },
    // The shop gives back the stock and the vouchers of an order that it never lets go of by itself.
    async finishSweep(since) {
      for await (const { id, key, status, changed } of listOrdersByPlugin(store.plugin, since)) {
        const isAbandoned = status === "waiting" && clock.now() - changed > ABANDONED_MS;
        const ref = { storeId, orderId: id };
        if (!isAbandoned || (await hasOpenPayments(ref))) continue;
        const { lost, refunded } = await readMoney(ref);
        await closeOrderByPlugin(forOneCall(store).plugin, { id, key }, [...lost, ...refunded]);
      }
    },
  };
}
