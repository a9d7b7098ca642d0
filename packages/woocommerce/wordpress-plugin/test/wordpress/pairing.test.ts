import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createWooCommerceServer, type WooCommerceServer } from "@tillkit/woocommerce";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { openShop, press, SETTINGS_PAGE, type Shop, saveSettings } from "./shop.ts";
import type { Site } from "./site.ts";
import { createVisitor, hiddenField, linkWith, type Page, signIn } from "./visitor.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;

// One shop, from its first minute to its first paid order.
describe.skipIf(skipReason !== null)(`a new shop in WordPress is connected by a button${skipNote}`, () => {
  let shop: Shop;
  let sandbox: Sandbox;
  let httpServer: Server;
  let server: WooCommerceServer;
  let url: string;

  beforeAll(async () => {
    shop = await openShop({ version: "6.5", database: "mariadb" });
    sandbox = await createSandbox();
    httpServer = createServer();
    await new Promise<void>((resolve) => httpServer.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`;
    const config = {
      publicUrl: url,
      database: "sqlite::memory:",
      keys: ["a server key of the tests, never of a real host"],
      service: { baseUrl: sandbox.baseUrl },
      // The store has no REST key, no link secret and no webhook secret: the pairing makes them.
      stores: [{ id: "chez-awa", url: shop.site.url, apiKey: sandbox.keys.test.secret, currencies: ["XOF" as const] }],
    };
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    server = await createWooCommerceServer(config, { ledger: createMemoryLedger(), log });
    httpServer.on("request", server.listener);
    server.start();
  });
  afterAll(async () => {
    await server?.close();
    httpServer?.close();
    await sandbox?.close();
    await shop?.site.close();
  });

  it("the settings ask for the address of the checkout server only, and then offer the button", async () => {
    const before = await shop.owner.get(SETTINGS_PAGE);
    expect(before.html).not.toContain("action=tillkit_pair");
    await saveSettings(shop.owner, { enabled: "1", title: "Mobile money", checkout_server: url });
    expect((await shop.owner.get(SETTINGS_PAGE)).words).toContain("Connect with the checkout server");
  });

  it("the owner agrees on the checkout server's page and comes back to a connected shop", async () => {
    const start = await shop.owner.get(linkWith(await shop.owner.get(SETTINGS_PAGE), "action=tillkit_pair"));
    expect(start.words).toContain("It shows what it will be allowed to do before anything changes.");
    const consentPage = await sendForm(start, `${url}/bridge/v1/pair`);
    expect(consentPage.words).toContain("It will not be able to");
    const confirmation = await fetch(`${url}/bridge/v1/pair/confirm`, {
      method: "POST",
      body: new URLSearchParams(formOf(consentPage)),
      redirect: "manual",
    });
    expect(confirmation.status).toBe(303);
    const settings = await shop.owner.get(confirmation.headers.get("location") ?? "");
    expect(settings.words).toContain("The shop and the checkout server are connected.");
    expect(settings.html).toContain('value="chez-awa"');
  });

  it("the health panel confirms shop, payment service and webhook", async () => {
    const page = await press(shop.owner, await shop.owner.get(SETTINGS_PAGE), "tillkit_health");
    expect(page.words).toContain("The payment service accepts the key.");
    expect(page.words).toContain("the plugin locks an order while it marks it as paid");
    expect(page.words).toContain("A test webhook of the service arrived through the public address.");
  });

  it("WordPress marks the order of a shopper who paid as paid exactly once", async () => {
    const link = await shop.site.php<string>(`fake_place_order();
      return ( new Tillkit_Gateway() )->process_payment( 1042 )['redirect'];`);
    const hosted = await fetch(link, { redirect: "manual" });
    expect(hosted.status).toBe(303);
    const session = /cs_\w+/.exec(hosted.headers.get("location") ?? "")?.[0] ?? "";
    await sandbox.control.paySession(session, { method: "card", outcome: "completed" });
    await vi.waitFor(async () => expect(await order()).toMatchObject({ status: "processing", completed: 1 }), {
      timeout: 20_000,
      interval: 250,
    });
    const page = await createVisitor(shop.site).get("/?order-received=1042&key=wc_order_AbC123xyZ");
    expect(page.words).toContain("Your payment has arrived");
  });

  it("a staging copy with a copy of the database refunds nothing, and becomes a shop of its own when its owner says so", async () => {
    const copy = await shop.site.clone();
    onTestFinished(() => copy.close());
    const refund = (site: Site) =>
      site.php<string>(`$answer = ( new Tillkit_Gateway() )->process_refund( 1042, '1000' );
        return is_wp_error( $answer ) ? $answer->get_error_message() : 'refunded';`);
    expect(await refund(copy)).toContain("This looks like a copy of 127.0.0.1");
    const owner = await signIn(copy);
    expect((await owner.get("/wp-admin/")).words).toContain("This looks like a copy of 127.0.0.1");
    expect(await refund(shop.site)).toBe("refunded");
    expect((await shop.owner.get("/wp-admin/")).words).not.toContain("This looks like a copy");
    await press(owner, await owner.get(SETTINGS_PAGE), "tillkit_copy");
    expect((await owner.get("/wp-admin/")).words).not.toContain("This looks like a copy");
    const settings = await owner.get(SETTINGS_PAGE);
    expect(settings.words).toContain("Connect with the checkout server");
    expect(settings.html).not.toContain('value="chez-awa"');
    expect(await copy.problems()).toBe("");
    expect(await refund(shop.site)).toBe("refunded");
  });

  it("WooCommerce's own API stays closed: a stranger reads no order", async () => {
    const answer = await fetch(`${shop.site.url}/wp-json/wc/v3/orders/1042`);
    expect(answer.status).toBe(401);
  });

  it("PHP and WordPress reported no notice, no warning and no deprecation", async () => {
    expect(await shop.site.problems()).toBe("");
  });

  async function order(): Promise<unknown> {
    return await shop.site.php("return Shop_State::read()['orders'][1042];");
  }
});

/** The hidden fields of the page's form. */
function formOf(page: Page): Record<string, string> {
  return Object.fromEntries(["shop", "code", "language"].map((name) => [name, hiddenField(page, name)]));
}

async function sendForm(page: Page, target: string): Promise<Page> {
  expect(page.html).toContain(`action="${target}"`);
  const answer = await fetch(target, { method: "POST", body: new URLSearchParams(formOf(page)) });
  const html = await answer.text();
  return { status: answer.status, url: target, html, words: html.replace(/<[^>]+>/g, " ") };
}
