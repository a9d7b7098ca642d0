import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readTranslations } from "../../compile-translations.ts";
import { pluginFiles } from "../../plugin-files.ts";
import { startCheckoutServer, type TestCheckoutServer } from "./checkout-server.ts";
import { openShop, press, SETTINGS_PAGE, type Shop, SITES, saveSettings, settingsFor } from "./shop.ts";
import { createVisitor, signIn } from "./visitor.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;
const ORDER_PAGE = "/wp-admin/admin.php?page=wc-orders&action=edit&id=1042";
const THANK_YOU_PAGE = "/?order-received=1042&key=wc_order_AbC123xyZ";
/** A text of the checkout server that would be a script if a page forgot to escape it. */
const MARKUP = `<script>alert("here")</script><img src=x onerror=alert(1)>`;

const catalogue = pluginFiles().find(({ path }) => path.endsWith("-fr_FR.po"));
const french = readTranslations(Buffer.from(catalogue?.bytes ?? []).toString("utf8"));

/** The words contain sentences of the translation, and none of the English ones. */
function expectFrench(words: string): void {
  const isSentence = (text: string) => text.length > 20 && words.includes(text.replaceAll("%%", "%"));
  expect([...french.keys()].filter(isSentence)).toEqual([]);
  expect([...french.values()].filter(isSentence)).not.toEqual([]);
}

for (const options of SITES) {
  const title = `the owner's pages in WordPress ${options.version} on ${options.database}${skipNote}`;

  describe.skipIf(skipReason !== null)(title, () => {
    let shop: Shop;
    let server: TestCheckoutServer;

    beforeAll(async () => {
      server = await startCheckoutServer();
      shop = await openShop(options);
      await saveSettings(shop.owner, settingsFor(server.url));
      await shop.site.php("fake_place_order();");
    });
    afterAll(async () => {
      await shop?.site.close();
      await server?.close();
    });

    it("the health panel reaches the checkout server over WordPress's own HTTP", async () => {
      server.answer("/bridge/v1/health", { environment: "test", currencies: ["XOF"], decimals: { XOF: 0 } });
      const page = await press(shop.owner, await shop.owner.get(SETTINGS_PAGE), "tillkit_health");
      expect(page.words).toContain("Test mode: no real money moves.");
      expect(page.words).toContain("The checkout server accepts XOF.");
      const [call] = server.calls("/bridge/v1/health");
      expect(call?.headers["x-tillkit-signature"]).toMatch(/^v1\.[0-9a-f]{64}$/);
    });

    it("a text of the checkout server is never markup in the owner's pages", async () => {
      server.answer("/bridge/v1/status", { headline: MARKUP, timeline: [{ at: 1, actor: MARKUP, text: MARKUP }] });
      const page = await press(shop.owner, await shop.owner.get(ORDER_PAGE), "tillkit_order", { order: "1042" });
      const { html } = JSON.parse(page.html);
      expect(html).toContain("&lt;script&gt;");
      expect(html).not.toMatch(/<script|<img/);
    });

    it("a button without its nonce, or with the nonce of another button, does nothing", async () => {
      const page = await shop.owner.get(SETTINGS_PAGE);
      const calls = server.calls("/bridge/v1/health").length;
      const answerWithoutNonce = await shop.owner.post("/wp-admin/admin-ajax.php", { action: "tillkit_health" });
      expect(answerWithoutNonce.status).toBe(403);
      const nonce = /data-action="tillkit_preview"[^>]*data-nonce="([^"]+)"/.exec(page.html)?.[1] ?? "";
      expect((await shop.owner.post("/wp-admin/admin-ajax.php", { action: "tillkit_health", nonce })).status).toBe(403);
      expect(server.calls("/bridge/v1/health")).toHaveLength(calls);
    });

    it("a subscriber and a stranger see neither settings nor orders", async () => {
      const reader = { name: "reader", password: "the password of a reader in tests" };
      await shop.site.php(
        `wp_insert_user( array( 'user_login' => '${reader.name}', 'user_pass' => '${reader.password}' ) );`,
      );
      const visitor = await signIn(shop.site, reader);
      for (const path of [SETTINGS_PAGE, ORDER_PAGE]) expect((await visitor.get(path)).status).toBe(403);
      const stranger = await createVisitor(shop.site).get(SETTINGS_PAGE);
      expect(stranger.url).toContain("wp-login.php");
    });

    it("an owner who reads French sees the settings, the order and the health panel in French", async () => {
      await shop.site.php("update_user_meta( 1, 'locale', 'fr_FR' );");
      const settings = await shop.owner.get(SETTINGS_PAGE);
      const health = await press(shop.owner, settings, "tillkit_health");
      const order = await shop.owner.get(ORDER_PAGE);
      for (const words of [settings.words, JSON.parse(health.html).html]) expectFrench(words);
      expect(order.words).toContain("Paiement Tillkit");
      expect(JSON.parse(server.calls("/bridge/v1/health").at(-1)?.body ?? "{}")).toMatchObject({ language: "fr" });
      await shop.site.php("delete_user_meta( 1, 'locale' );");
      expect((await shop.owner.get(SETTINGS_PAGE)).words).toContain("Checkout server address");
    });

    it.each(["fr_FR", "fr_BE", "fr_CA"])("a shop in %s shows its thank-you page in French", async (locale) => {
      await shop.site.php(`update_option( 'WPLANG', '${locale}' );`);
      expectFrench((await createVisitor(shop.site).get(THANK_YOU_PAGE)).words);
      await shop.site.php("update_option( 'WPLANG', '' );");
    });

    it("WordPress's tools for personal data ask the checkout server, and its privacy guide has a text about payments", async () => {
      await shop.site.php("fake_place_order( array( 'id' => 1050, 'email' => 'fatou@example.com' ) );");
      server.answer("/bridge/v1/export", { payments: [MARKUP] });
      const exporter = `$exporters = apply_filters( 'wp_privacy_personal_data_exporters', array() );
        return $exporters['tillkit-checkout']['callback']( 'fatou@example.com', 1 );`;
      const exported = await shop.site.php<{ data: readonly { data: readonly { value: string }[] }[] }>(exporter);
      expect(exported.data[0]?.data[1]?.value).toContain("&lt;script&gt;");
      server.answer("/bridge/v1/erase", { erased: 1, unfinished: 0 });
      const eraser = exporter.replaceAll("exporters", "erasers");
      expect(await shop.site.php(eraser)).toMatchObject({ items_removed: true, items_retained: false, done: true });
      const guide = await shop.owner.get("/wp-admin/options-privacy.php?tab=policyguide");
      expect(guide.words).toContain("When you pay with mobile money or a card");
    });

    it("the scheduled tasks of WordPress run without a report of PHP", async () => {
      expect((await createVisitor(shop.site).get("/wp-cron.php?doing_wp_cron")).status).toBe(200);
    });

    it("PHP and WordPress reported no notice, no warning and no deprecation", async () => {
      expect(await shop.site.problems()).toBe("");
    });
  });
}
