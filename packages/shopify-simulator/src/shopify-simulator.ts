import { randomBytes } from "node:crypto";
import { type Clock, systemClock } from "@tillkit/core";
import type { ShopifyVersion } from "./graphql/schemas.ts";
import { type NoResponse, type SimulatorRequest, type SimulatorResponse, startHttpServer } from "./http-server.ts";
import { followInstallation } from "./oauth/follow-installation.ts";
import type { ShopifyApp } from "./oauth/token-endpoint.ts";
import { createCertificateAuthority, type IssuedCertificate } from "./senders/certificates.ts";
import type { ConnectedApp } from "./senders/connected-app.ts";
import { createSessionSender, type SessionSender } from "./senders/session-sender.ts";
import { createWebhookSender, type WebhookSender } from "./senders/webhook-sender.ts";
import { createSimulatedShop, type ShopOptions } from "./shop/create-simulated-shop.ts";
import type { ShopApiOptions } from "./shop/shop-api.ts";
import { createShopServer, type ShopServer } from "./shop/shop-server.ts";
import { createShopifyFaults, type ShopifyFaults } from "./shop/shopify-faults.ts";
import type { SimulatedShop } from "./shop/simulated-shop.ts";

export type ShopifySimulatorOptions = {
  readonly clock?: Clock;
  /** A port of the loopback interface; a free port by default. */
  readonly port?: number;
  /** The API version of session requests and webhooks; `2026-07` by default. Calls of the app name their own version. */
  readonly version?: ShopifyVersion;
  readonly app?: ShopifyApp;
  /** A folder with introspections of Shopify's schemas, instead of the introspections in the npm package. */
  readonly schemas?: string;
  /** Rate limits of the two GraphQL APIs that replace Shopify's limits. */
  readonly limits?: ShopApiOptions["limits"];
};

/** Shopify on this machine: any number of shops, their two GraphQL APIs with Shopify's schemas, and Shopify's requests to an app. */
export type ShopifySimulator = {
  readonly origin: string;
  /** The endpoint in place of `https://{shop}`: `http://127.0.0.1:PORT/{shop}`. */
  readonly shopEndpoint: string;
  readonly app: ShopifyApp;
  readonly faults: ShopifyFaults;
  readonly webhooks: WebhookSender;
  /** The PEM certificate of the root that signs Shopify's client certificate. */
  readonly certificateAuthority: string;
  readonly clientCertificate: IssuedCertificate;
  /** Sets the URLs of the app. */
  connectApp(app: ConnectedApp): void;
  /** @param name `acme` for the shop `acme.myshopify.com` */
  openShop(name: string, shopOptions?: ShopOptions): SimulatedShop;
  close(): Promise<void>;
};

export async function createShopifySimulator(options: ShopifySimulatorOptions = {}): Promise<ShopifySimulator> {
  const { clock = systemClock, version = "2026-07", schemas, limits } = options;
  const app = options.app ?? {
    clientId: "simulated-client-id",
    clientSecret: "simulated secret of an app, never of a real one",
  };
  const shopServers = new Map<string, ShopServer>();
  const faults = createShopifyFaults();
  const webhooks = createWebhookSender({ clock, secret: app.clientSecret, version });
  const authority = createCertificateAuthority("Simulated Payments Platform Root CA");
  let connected: { readonly app: ConnectedApp; readonly sender: SessionSender } | null = null;
  const httpServer = await startHttpServer(respond, options.port ?? 0);

  function connection() {
    if (!connected) throw new Error("Connect the app first: connectApp({ url }).");
    return connected;
  }

  async function respond(request: SimulatorRequest): Promise<SimulatorResponse | NoResponse> {
    const [, domain = "", ...rest] = request.path.split("/");
    const shopServer = shopServers.get(domain);
    return shopServer ? await shopServer.respond(request, rest) : { status: 404, body: { errors: "Not Found" } };
  }

  return {
    origin: httpServer.origin,
    shopEndpoint: `${httpServer.origin}/{shop}`,
    app,
    faults,
    webhooks,
    certificateAuthority: authority.certificate,
    clientCertificate: authority.issue("Simulated Payments Platform"),
    connectApp(connectedApp) {
      connected?.sender.close();
      const identity = connectedApp.identity ?? { kind: "headers" as const, headers: {} };
      connected = { app: connectedApp, sender: createSessionSender(identity, version) };
    },
    openShop(name, shopOptions = {}) {
      const domain = `${name}.myshopify.com`;
      if (shopServers.has(domain)) throw new Error(`There is a shop ${domain} already.`);
      const origin = `${httpServer.origin}/${domain}`;
      const follow = (start: string) => followInstallation(start, (url) => approvalOf(url, domain), isShopify);
      const created = createSimulatedShop(shopOptions, {
        domain,
        origin,
        clock,
        randomBytes,
        app,
        webhooks,
        connection,
        followInstallation: follow,
      });
      shopServers.set(
        domain,
        createShopServer(created, { clock, app, faults, connection, schemaFolder: schemas, limits }),
      );
      return created.shop;
    },
    async close() {
      webhooks.close();
      connected?.sender.close();
      await httpServer.close();
    },
  };

  // The merchant presses Install on the grant page.
  function approvalOf(url: URL, domain: string): string | null {
    if (!url.href.startsWith(`${httpServer.origin}/${domain}/admin/oauth/authorize`)) return null;
    return shopServers.get(domain)?.approve(url.searchParams) ?? null;
  }

  // The installation ends with a redirect to any URL of Shopify except the grant page.
  function isShopify(url: URL): boolean {
    return url.origin === httpServer.origin && !url.pathname.endsWith("/oauth/authorize");
  }
}
