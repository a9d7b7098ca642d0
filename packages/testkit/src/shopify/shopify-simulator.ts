import { type Clock, systemClock } from "@tillkit/core";
import { createCertificateAuthority, type IssuedCertificate } from "./certificates.ts";
import type { ConnectedApp } from "./connected-app.ts";
import { type Answer, type Asked, type NoAnswer, openHttpDoor } from "./http-door.ts";
import { walkInstallation } from "./install-walk.ts";
import type { ShopifyApp } from "./oauth.ts";
import type { ShopifyVersion } from "./schemas.ts";
import { createSessionSender, type SessionSender } from "./session-sender.ts";
import type { ShopApiOptions } from "./shop-api.ts";
import { createShopDoor, type ShopDoor } from "./shop-door.ts";
import { createShopifyFaults, type ShopifyFaults } from "./shopify-faults.ts";
import { openSimulatedShop, type ShopWish } from "./simulated-shop.ts";
import type { SimulatedShop } from "./simulated-shop-type.ts";
import { createWebhookSender, type WebhookSender } from "./webhook-sender.ts";

export type ShopifySimulatorOptions = {
  readonly clock?: Clock;
  /** 0, the default: a free port. Always on the loopback interface. */
  readonly port?: number;
  /** Of what Shopify sends; `2026-07` unless set. What the app calls says its own version. */
  readonly version?: ShopifyVersion;
  readonly app?: ShopifyApp;
  /** Where the introspections are, when not in the package that carries them. */
  readonly schemas?: string;
  /** Points of the two GraphQL APIs, where not Shopify's. */
  readonly limits?: ShopApiOptions["limits"];
};

/** Shopify on this machine: many shops, their two GraphQL APIs behind the real schemas, and whatever Shopify sends to an app. */
export type ShopifySimulator = {
  readonly origin: string;
  /** What stands in for `https://{shop}`: `http://127.0.0.1:PORT/{shop}`. */
  readonly shopEndpoint: string;
  readonly app: ShopifyApp;
  readonly faults: ShopifyFaults;
  readonly webhooks: WebhookSender;
  /** PEM of the root that signs Shopify's client certificate. */
  readonly certificateAuthority: string;
  readonly clientCertificate: IssuedCertificate;
  /** Tells Shopify where the app is. */
  connectApp(app: ConnectedApp): void;
  /** `acme` is `acme.myshopify.com`. */
  openShop(name: string, wish?: ShopWish): SimulatedShop;
  close(): Promise<void>;
};

export async function createShopifySimulator(options: ShopifySimulatorOptions = {}): Promise<ShopifySimulator> {
  const { clock = systemClock, version = "2026-07", schemas, limits } = options;
  const app = options.app ?? {
    clientId: "simulated-client-id",
    clientSecret: "simulated secret of an app, never of a real one",
  };
  const doors = new Map<string, ShopDoor>();
  const faults = createShopifyFaults();
  const webhooks = createWebhookSender({ clock, secret: app.clientSecret, version });
  const authority = createCertificateAuthority("Simulated Payments Platform Root CA");
  let connected: { readonly app: ConnectedApp; readonly sender: SessionSender } | null = null;
  const door = await openHttpDoor(answer, options.port ?? 0);

  function connection() {
    if (!connected) throw new Error("Tell the simulator where the app is first: connectApp({ url }).");
    return connected;
  }

  async function answer(asked: Asked): Promise<Answer | NoAnswer> {
    const [, domain = "", ...rest] = asked.path.split("/");
    const door = doors.get(domain);
    return door ? await door.answer(asked, rest) : { status: 404, body: { errors: "Not Found" } };
  }

  return {
    origin: door.origin,
    shopEndpoint: `${door.origin}/{shop}`,
    app,
    faults,
    webhooks,
    certificateAuthority: authority.certificate,
    clientCertificate: authority.issue("Simulated Payments Platform"),
    connectApp(wanted) {
      connected?.sender.close();
      const identity = wanted.identity ?? { kind: "headers" as const, headers: {} };
      connected = { app: wanted, sender: createSessionSender(identity, version) };
    },
    openShop(name, wish = {}) {
      const domain = `${name}.myshopify.com`;
      if (doors.has(domain)) throw new Error(`There is a shop ${domain} already.`);
      const origin = `${door.origin}/${domain}`;
      const walk = (start: string) => walkInstallation(start, (url) => approvalOf(url, domain), isShopify);
      const opened = openSimulatedShop(wish, { domain, origin, clock, app, webhooks, connection, walk });
      doors.set(domain, createShopDoor(opened, { clock, app, faults, connection, schemaFolder: schemas, limits }));
      return opened.shop;
    },
    async close() {
      webhooks.close();
      connected?.sender.close();
      await door.close();
    },
  };

  // The merchant presses Install on Shopify's page.
  function approvalOf(url: URL, domain: string): string | null {
    if (!url.href.startsWith(`${door.origin}/${domain}/admin/oauth/authorize`)) return null;
    return doors.get(domain)?.approve(url.searchParams) ?? null;
  }

  // Anything of Shopify's but the page that asks whether to install.
  function isShopify(url: URL): boolean {
    return url.origin === door.origin && !url.pathname.endsWith("/oauth/authorize");
  }
}
