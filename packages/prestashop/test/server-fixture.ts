import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { decimalText, money, systemClock } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createBridgedServer, payLinkUrl } from "@tillkit/php-bridge";
import { readPrestaShopConfig, SERVED_PRESTASHOP } from "@tillkit/prestashop";
import { createSandbox } from "@tillkit/sandbox";
import { onTestFinished } from "vitest";
import { startFakeModule } from "./fake-module.ts";
import type { FakeOrder } from "./fake-orders.ts";

export const STORE_ID = "boutique";
export const TOTAL = money(5_000, "XOF");
const LINK_SECRET = "a link secret of the tests, never of a real shop";

/** A checkout server with one shop, over HTTP, beside the sandbox of the service. `isPaired` false: nobody has given either end a secret. */
export async function openServer({ isPaired = true } = {}) {
  const sandbox = await createSandbox();
  const shop = await startFakeModule({ clock: systemClock, store: STORE_ID, secrets: isPaired ? [LINK_SECRET] : null });
  const httpServer = createServer();
  await new Promise<void>((resolve) => httpServer.listen(0, "127.0.0.1", resolve));
  const publicUrl = `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`;
  const { webhooks } = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const url = `${publicUrl}/hooks/service/${STORE_ID}`;
  const register = () => webhooks.create({ url, authorized_events: ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED"] });
  const secrets = isPaired ? { linkSecret: LINK_SECRET, webhookSecrets: [(await register()).data.secret] } : {};
  const ledger = createMemoryLedger();
  const config = readPrestaShopConfig({
    ...{ publicUrl, database: "sqlite::memory:", keys: ["a key of the tests that signs links, never of a real host"] },
    service: { baseUrl: sandbox.baseUrl },
    stores: [
      {
        ...{ id: STORE_ID, url: shop.url, name: "Chez Awa", currencies: ["XOF"] },
        ...{ apiKey: sandbox.keys.test.secret, ...secrets },
      },
    ],
  });
  const server = await createBridgedServer(SERVED_PRESTASHOP, config, { ledger });
  httpServer.on("request", server.listener);
  server.start();
  onTestFinished(async () => {
    await server.close();
    httpServer.closeAllConnections();
    httpServer.close();
    await shop.close();
    await sandbox.close();
  });
  /** The path of the pay link that the module makes for an order. */
  function linkOf({ id: order, key, total }: FakeOrder): string {
    const exp = String(Math.floor(systemClock.now() / 1_000) + 7_200);
    const link = { store: STORE_ID, order, key, amount: decimalText(total), currency: total.currency, exp };
    return payLinkUrl("", link, shop.linkSecret());
  }
  const follow = (order: FakeOrder | string) => {
    const link = typeof order === "string" ? order : linkOf(order);
    return fetch(`${publicUrl}${link}`, { redirect: "manual" });
  };
  const webhookUrls = async () => {
    const urls: (string | undefined)[] = [];
    for await (const endpoint of webhooks.list()) urls.push(endpoint.url);
    return urls;
  };
  /** Sends the form that the owner's browser carries from the shop. */
  const post = (path: string, form: Record<string, string>) =>
    fetch(publicUrl + path, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  return { sandbox, shop, ledger, server, publicUrl, follow, linkOf, webhookUrls, post };
}
