import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { money } from "@tillkit/core";
import { toCheckoutOrder } from "@tillkit/example-shop/adapter";
import { CATALOGUE } from "@tillkit/example-shop/catalogue";
import { openDemo } from "@tillkit/example-shop/demo";
import { findOrder, newOrderKey, placeOrder } from "@tillkit/example-shop/orders";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createShopifyApp } from "@tillkit/shopify";
import { createShopifySimulator } from "@tillkit/shopify-simulator";
import { createWooCommerceServer } from "@tillkit/woocommerce";
/** A shop with its checkout server, and the service. */
export type Platform = {
  readonly name: string;
  readonly sandbox: Sandbox;
  /** A shopper presses Pay for a new order. Returns the address of the hosted page. */
  startCheckout(): Promise<string>;
  /** How many orders the shop itself counts as paid. */
  paidOrders(): Promise<number>;
  close(): Promise<void>;
};

/** Each opens a platform whose data is in the folder. */
export const platforms: readonly ((folder: string) => Promise<Platform>)[] = [
  openExampleShop,
  (folder) => openWooCommerce("plugin", folder),
  (folder) => openWooCommerce("rest", folder),
  (folder) => openShopify("offsite", folder),
  (folder) => openShopify("order", folder),
];

const LINK_SECRET = "a link secret of a bench, never of a real shop";
const KEY = "a key of a bench that signs links, never of a host";

async function openExampleShop(folder: string): Promise<Platform> {
  const { shop, sandbox, close } = await openDemo(join(folder, "shop"));
  const { database, checkout } = shop;
  // The shop must not be sold out.
  await database.db.updateTable("stock").set({ pieces: 1_000_000 }).execute();
  const [product] = CATALOGUE;
  if (!product) throw new Error("The example shop sells nothing.");
  const basket = { currency: product.price.currency, lines: [{ product, quantity: 1 }], total: product.price };
  return {
    name: "example shop",
    sandbox,
    async startCheckout() {
      const key = newOrderKey();
      await placeOrder(database, { key, pickupName: "Awa Diop", language: "fr", basket, placedAt: Date.now() });
      const order = await findOrder(database.db, { key });
      const start = order && (await checkout.startCheckout(toCheckoutOrder(order, "test")));
      if (start?.status !== "redirect") throw new Error("An order of the example shop cannot be paid.");
      return start.url;
    },
    async paidOrders() {
      return (await database.db.selectFrom("orders").select("id").where("state", "=", "paid").execute()).length;
    },
    close,
  };
}

async function openWooCommerce(writeOrdersBy: "plugin" | "rest", folder: string): Promise<Platform> {
  const { sandbox, service, server, url } = await openServer();
  const plugin = { checkoutServerUrl: url, storeId: "boutique", linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ plugin });
  const secret = await registerWebhook(service, `${url}/hooks/service/boutique`);
  const { consumerKey, consumerSecret } = fake;
  const shop = { id: "boutique", url: fake.url, consumerKey, consumerSecret, linkSecret: LINK_SECRET, writeOrdersBy };
  const app = await createWooCommerceServer({
    publicUrl: url,
    database: `sqlite:${join(folder, `woocommerce-${writeOrdersBy}.db`)}`,
    keys: [KEY],
    service: { baseUrl: service.baseUrl },
    stores: [{ ...shop, apiKey: service.apiKey, webhookSecrets: [secret], currencies: ["XOF"] }],
  });
  server.on("request", app.listener);
  app.start();
  return {
    name: `WooCommerce by ${writeOrdersBy}`,
    sandbox,
    async startCheckout() {
      const { id } = fake.shop.placeOrder({ total: "1000" });
      return (await fetch(fake.payLink(id))).url;
    },
    paidOrders: async () => fake.shop.effects.length,
    async close() {
      closeServer(server);
      await app.close();
      await Promise.all([fake.close(), sandbox.close()]);
    },
  };
}

async function openShopify(mode: "offsite" | "order", folder: string): Promise<Platform> {
  const { sandbox, service, server, url } = await openServer();
  // The simulator charges the points that a query asks for, Shopify those that it uses: here, a few orders would use up the limit.
  const simulator = await createShopifySimulator({ limits: { admin: { maximum: 1e6, restoreRate: 1e6 } } });
  const database = `sqlite:${join(folder, `shopify-${mode}.db`)}`;
  const app = await createShopifyApp({
    publicUrl: url,
    database,
    keys: [KEY],
    secretKeys: [KEY],
    service: { baseUrl: service.baseUrl },
    clientCertificates: { verifiedBy: "none" },
    app: { mode, ...simulator.app, shopEndpoint: simulator.shopEndpoint, registerWebhooks: false },
  });
  server.on("request", app.listener);
  app.start();
  simulator.connectApp({ url, entry: "/shopify", paymentUrl: "/shopify/payment" });
  // All orders of a development store are tests, so that the test key pays them.
  const shop = simulator.openShop("acme", { plan: "development" });
  const { cookies, text } = await shop.install();
  const form = /name="form" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const testSecret = await registerWebhook(service, `${url}/hooks/service/test_acme`);
  await fetch(`${url}/shopify/settings`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies },
    body: new URLSearchParams({ form, testKey: service.apiKey, testSecret, gatewayName: "Mobile money" }),
  });
  const total = money(12_500, "XOF");
  // A shopper's own address may look up few orders.
  const linkOfNewOrder = () => {
    const orderId = shop.placeOrder({ total, test: true }).id.split("/").at(-1) ?? "";
    return app.checkout.payLink({ ref: { storeId: shop.domain, orderId }, attempt: "" });
  };
  return {
    name: `Shopify, ${mode}`,
    sandbox,
    async startCheckout() {
      const payLink = mode === "offsite" ? (await shop.startPayment({ total })).answer.redirectUrl : linkOfNewOrder();
      return (await fetch(payLink ?? "")).url;
    },
    paidOrders: async () => shop.record.effectsOf(mode === "offsite" ? "resolved" : "order-paid").length,
    async close() {
      closeServer(server);
      await app.close();
      await Promise.all([simulator.close(), sandbox.close()]);
    },
  };
}

type Service = { readonly apiKey: string; readonly baseUrl: string };

/** The service, and a server that has no listener yet. */
async function openServer() {
  const sandbox = await createSandbox();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: Service = { apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl };
  return { sandbox, service, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function registerWebhook(service: Service, url: string): Promise<string> {
  const { webhooks } = createServiceClient(service);
  return (await webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] })).data.secret ?? "";
}

function closeServer(server: Server): void {
  server.close();
  server.closeAllConnections();
}
