import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createShopifyApp } from "@tillkit/shopify";
import { createShopifySimulator, type ShopifySimulator, type SimulatedShop } from "@tillkit/shopify-simulator";
import { setUpShop } from "./owner.ts";

export type Mode = "offsite" | "order";

export type ShopifyDemo = {
  readonly mode: Mode;
  readonly shop: SimulatedShop;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
};

const WEBHOOK_TOPICS = ["app/uninstalled", "customers/data_request", "customers/redact", "shop/redact"];

/** Starts the payment service, Shopify and the app server on this machine. They communicate over HTTP only. */
export async function openShopifyDemo(
  mode: Mode,
  onStep: (text: string) => void = () => undefined,
): Promise<ShopifyDemo> {
  const closers: (() => Promise<void>)[] = [];
  // Closes in reverse order, also after a start that failed half way.
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const sandbox = await createSandbox();
    closers.push(() => sandbox.close());
    onStep("The payment service (sandbox) is ready");
    const simulator = await createShopifySimulator();
    closers.push(() => simulator.close());
    // All orders of a development store are tests, so that the test key pays them.
    const shop = simulator.openShop("chez-adjoua", { name: "Chez Adjoua", plan: "development" });
    onStep("Shopify (simulated, with its real schemas) is ready with one shop");
    const { appUrl, closeApp } = await openApp(mode, simulator, sandbox);
    closers.push(closeApp);
    onStep(`The app server is running, in ${mode} mode`);
    await setUpShop(shop, sandbox, appUrl);
    onStep("The shop installed the app and entered its keys");
    return { mode, shop, sandbox, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openApp(mode: Mode, simulator: ShopifySimulator, sandbox: Sandbox) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await createShopifyApp({
    publicUrl: appUrl,
    database: "sqlite::memory:",
    keys: [randomBytes(32).toString("hex")],
    secretKeys: [randomBytes(32).toString("hex")],
    service: { baseUrl: sandbox.baseUrl },
    // Only the simulator reaches the loopback of this machine. A real app server verifies Shopify's certificate.
    clientCertificates: { verifiedBy: "none" },
    app: { mode, ...simulator.app, shopEndpoint: simulator.shopEndpoint, registerWebhooks: mode === "order" },
  });
  server.on("request", app.listener);
  app.start();
  simulator.connectApp({
    url: appUrl,
    entry: "/shopify",
    paymentUrl: "/shopify/payment",
    refundUrl: "/shopify/refund",
    captureUrl: "/shopify/capture",
    voidUrl: "/shopify/void",
    webhooks: { url: "/shopify/webhooks", topics: WEBHOOK_TOPICS },
    ...(mode === "order" ? { orderPayUrl: "/shopify/order-pay?shop={shop}&checkout_token={token}" } : {}),
  });
  const closeApp = async () => {
    await closeServer(server);
    await app.close();
  };
  return { appUrl, closeApp };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
