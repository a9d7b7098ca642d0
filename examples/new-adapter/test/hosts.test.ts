import type { Server } from "node:http";
import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { money } from "@tillkit/core";
import { createSandbox } from "@tillkit/sandbox";
import { afterEach, expect, test } from "vitest";
import { checkoutPath, openCheckout } from "../src/checkout.ts";
import { choosePort } from "../src/choose-port.ts";
import { createHost as onExpress } from "../src/hosts/express.ts";
import { createHost as onFastify } from "../src/hosts/fastify.ts";
import { createHost as onHono } from "../src/hosts/hono.ts";
import { createHost as onNode } from "../src/hosts/node.ts";
import { createPages, type Site } from "../src/pages.ts";
import { openShopUnderTest } from "./shop-under-test.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const hosts: [string, (site: Site) => Server | Promise<Server>][] = [
  ["Express", onExpress],
  ["Fastify", onFastify],
  ["Hono", onHono],
  ["plain Node", onNode],
];

test.each(hosts)("a shopper pays in the shop on %s, and the order is shipped once", async (_name, createHost) => {
  const { store, sandbox, shopUrl } = await openSite(createHost);
  const placed = await store.placeOrder({ total: money(5_000, "XOF"), title: "<b>Baskets</b>", language: "fr" });
  const orderUrl = `${shopUrl}/orders/${placed.ref.orderId}`;
  expect(await (await fetch(shopUrl)).text()).toContain("&#60;b&#62;Baskets");

  const redirect = await fetch(`${orderUrl}/pay`, {
    method: "POST",
    body: new URLSearchParams(),
    redirect: "manual",
  });
  expect(redirect.status).toBe(303);
  const hostedPage = redirect.headers.get("location") ?? "";
  expect(hostedPage.startsWith(sandbox.checkoutBaseUrl)).toBe(true);
  await sandbox.control.paySession(hostedPage.split("/").at(-1) ?? "", { method: "card", outcome: "completed" });

  await expect.poll(async () => (await store.shop.order(placed.ref.orderId))?.shipments).toBe(1);
  expect(await (await fetch(orderUrl)).text()).toContain("paid");
  const missing = await fetch(`${shopUrl}/orders/no-such-order`);
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining("All orders")]);
  expect((await fetch(`${shopUrl}${checkoutPath}/healthz`)).status).toBe(200);
  // The service's webhook was signed over its exact bytes, and the shop took it.
  await expect
    .poll(async () => new Set((await sandbox.control.listDeliveries()).map(({ state }) => state)))
    .toEqual(new Set(["delivered"]));
});

test.each(hosts)("a shopper whose payment page does not open reads what to do, on %s", async (_name, createHost) => {
  const { store, sandbox, shopUrl } = await openSite(createHost);
  const placed = await store.placeOrder({ total: money(5_000, "XOF"), title: "Baskets", language: "fr" });
  const pay = `${shopUrl}/orders/${placed.ref.orderId}/pay`;
  await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", status: 400, times: 9 });
  const refused = await fetch(pay, { method: "POST", body: new URLSearchParams() });
  expect([refused.status, await refused.text()]).toEqual([200, expect.stringContaining("contactez la boutique")]);
  await sandbox.control.clearFaults();
  const redirect = await fetch(pay, { method: "POST", body: new URLSearchParams(), redirect: "manual" });
  expect(redirect.headers.get("location")).toContain(sandbox.checkoutBaseUrl);
});

async function openSite(createHost: (site: Site) => Server | Promise<Server>) {
  const sandbox = await createSandbox();
  closers.push(() => sandbox.close());
  const store = await openShopUnderTest();
  closers.push(() => store.close());
  const port = await choosePort("0", 1);
  const shopUrl = `http://127.0.0.1:${port}`;
  const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const url = `${shopUrl}${checkoutPath}/hooks/service/shop`;
  const { data } = await client.webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] });
  const adapter = store.connect((shop) => shop);
  const { checkout, close } = await openCheckout(adapter, {
    shopUrl,
    environment: "test",
    ledgerUrl: "sqlite::memory:",
    key: "the key of this test, long enough to sign links",
    operatorToken: "the token of this test's operator, long enough",
    service: {
      apiKey: sandbox.keys.test.secret,
      baseUrl: sandbox.baseUrl,
      endpointId: "shop",
      webhookSecrets: [data.secret ?? ""],
    },
  });
  closers.push(close);
  const server = await createHost({ checkout, pages: createPages(store.shop, adapter, checkout) });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  closers.push(() => stop(server));
  return { store, sandbox, shopUrl };
}

async function stop(server: Server): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await stopped;
}
