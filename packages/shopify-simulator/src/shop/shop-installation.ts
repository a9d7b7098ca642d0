import type { AccessTokens } from "../oauth/access-tokens.ts";
import { signQuery, signSessionToken } from "../oauth/signatures.ts";
import type { Gateway } from "../payments/payments-api.ts";
import { urlOf } from "../senders/connected-app.ts";
import { SHOP_ID } from "../shop-id.ts";
import type { ShopEnvironment } from "./shop-environment.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

export type ShopInstallation = Pick<
  SimulatedShop,
  "installUrl" | "install" | "installedWith" | "uninstall" | "sessionToken"
> & {
  /** The app received a token with these scopes. */
  onInstalled(scope: string): void;
};

/** How the app is opened, installed and uninstalled in the shop. */
export function createInstallation(
  environment: ShopEnvironment,
  shop: {
    readonly tokens: AccessTokens;
    readonly subscriptions: SimulatedShop["subscriptions"];
    readonly gateway: Gateway;
    readonly sendWebhook: SimulatedShop["sendWebhook"];
  },
): ShopInstallation {
  const { domain, clock, app, connection, followInstallation } = environment;
  const { tokens, subscriptions, gateway, sendWebhook } = shop;
  let installedScope: string | null = null;

  function installUrl(): string {
    const connected = connection().app;
    const host = Buffer.from(`${domain}/admin`).toString("base64url");
    const timestamp = String(Math.floor(clock.now() / 1_000));
    return `${urlOf(connected, connected.entry ?? "/")}?${signQuery({ shop: domain, host, timestamp }, app.clientSecret)}`;
  }

  return {
    installUrl,
    install: () => followInstallation(installUrl()),
    installedWith: () => installedScope,
    uninstall() {
      tokens.revokeAll();
      subscriptions.clear();
      installedScope = null;
      gateway.ready = false;
      return sendWebhook("app/uninstalled", { id: SHOP_ID, domain, myshopify_domain: domain });
    },
    sessionToken: () => signSessionToken({ shop: domain, ...app, secret: app.clientSecret, now: clock.now() }),
    onInstalled: (scope) => {
      installedScope = scope;
    },
  };
}
