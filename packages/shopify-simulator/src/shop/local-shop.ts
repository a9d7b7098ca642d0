import type { Clock } from "@tillkit/core";
import type { SimulatorRequest } from "../http-server.ts";
import { createWebhookSender } from "../senders/webhook-sender.ts";
import type { RandomBytes } from "../shop-id.ts";
import { createSimulatedShop } from "./create-simulated-shop.ts";
import { createShopApi } from "./shop-api.ts";
import { createShopifyFaults } from "./shopify-faults.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

/** A shop inside this process, without a server, a certificate or an installed app: for a search that opens a shop thousands of times. */
export type LocalShop = {
  readonly shop: SimulatedShop;
  /** Answers a call to one of the shop's GraphQL APIs. `api`: the first segment of its path. */
  call(
    api: "admin" | "payments_apps",
    request: Pick<SimulatorRequest, "headers" | "bytes">,
  ): Promise<{ readonly status: number; readonly body: string }>;
  close(): void;
};

const VERSION = "2026-07";
const SECRET = "simulated secret of an app, never of a real one";

/** @param randomBytes the same bytes again give the shop the same ids */
export function openLocalShop(domain: string, clock: Clock, randomBytes: RandomBytes): LocalShop {
  const faults = createShopifyFaults();
  const webhooks = createWebhookSender({ clock, secret: SECRET, version: VERSION });
  const { shop, payments, admin } = createSimulatedShop(
    {},
    {
      domain,
      origin: `https://${domain}`,
      clock,
      randomBytes,
      app: { clientId: "simulated-client-id", clientSecret: SECRET },
      webhooks,
      connection: () => NO_APP,
      followInstallation: noApp,
    },
  );
  const api = createShopApi({ domain, clock, tokens: shop.tokens, faults, payments, admin });
  return {
    shop,
    async call(path, { headers, bytes }) {
      const request = { method: "POST", path: "", query: new URLSearchParams(), headers, bytes };
      const response = await api.respond(request, path === "admin" ? "admin" : "payments-apps", VERSION);
      if (typeof response === "string") throw new Error("A shop without faults answers every call.");
      return { status: response.status, body: JSON.stringify(response.body) };
    },
    close: webhooks.close,
  };
}

/** It has subscribed to no webhook. */
const NO_APP = { app: { url: "https://app.invalid" }, sender: { post: noApp, close() {} } };

function noApp(): never {
  throw new Error("No app is connected to a local shop, so nothing can be posted to it.");
}
