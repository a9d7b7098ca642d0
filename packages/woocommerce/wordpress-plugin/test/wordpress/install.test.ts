import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { activate, PLUGIN, SETTINGS_PAGE, type Shop, SITES, saveSettings, settingsFor, uploadPlugin } from "./shop.ts";
import { openSite } from "./site.ts";
import { hiddenField, linkWith, signIn } from "./visitor.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;

for (const options of SITES) {
  const title = `a shop with WordPress ${options.version} on ${options.database} installs, uses and deletes the plugin${skipNote}`;
  // Since 6.5 WordPress reads the header "Requires Plugins" itself, and offers no link to activate before WooCommerce is active.
  const readsRequiredPlugins = options.version !== "6.2";

  // All tests share one shop, and each test starts where the one before it ended.
  describe.skipIf(skipReason !== null)(title, () => {
    let shop: Shop;

    beforeAll(async () => {
      const site = await openSite(options);
      shop = { site, owner: await signIn(site) };
    });
    afterAll(() => shop?.site.close());

    it("WordPress installs the zip from the page Upload Plugin", async () => {
      const page = await uploadPlugin(shop.owner);
      expect(page.words).toContain("Plugin installed successfully.");
      expect((await shop.owner.get("/wp-admin/plugins.php")).words).toContain("Tillkit Checkout for WooCommerce");
    });

    it("an owner without WooCommerce reads that it is missing", async () => {
      const page = await shop.owner.get("/wp-admin/plugins.php");
      if (readsRequiredPlugins) {
        expect(() => linkWith(page, `action=activate&plugin=${encodeURIComponent(PLUGIN)}`)).toThrow("no link");
        expect(page.words).toContain("Requires: WooCommerce");
      } else {
        await activate(shop.owner, PLUGIN);
        expect((await shop.owner.get("/wp-admin/")).words).toContain("Tillkit Checkout needs WooCommerce 8.2 or newer");
      }
    });

    it("the plugin is active after the click on Activate and links to its settings", async () => {
      await activate(shop.owner, "woocommerce/woocommerce.php");
      if (readsRequiredPlugins) await activate(shop.owner, PLUGIN);
      const page = await shop.owner.get("/wp-admin/plugins.php");
      const settings = await shop.owner.get(linkWith(page, "section=tillkit"));
      expect(settings.words).toContain("Checkout server address");
      expect(settings.words).toContain("The shop is not connected yet, so shoppers do not see this payment method.");
    });

    it("settings without the nonce of the form are refused", async () => {
      const page = await shop.owner.post(SETTINGS_PAGE, { save: "Save changes", woocommerce_tillkit_store: "stolen" });
      expect(page.status).toBe(403);
      expect(await shop.site.php("return get_option( 'woocommerce_tillkit_settings' );")).toBe(false);
    });

    it("saved settings stay, and no page contains the link secret", async () => {
      const settings = settingsFor("https://pay.example.com/");
      const saved = await saveSettings(shop.owner, { ...settings, description: `Pay "here" & <i>there's</i> more` });
      expect(saved.html).not.toContain(settings.link_secret);
      const page = await shop.owner.get(SETTINGS_PAGE);
      expect(/value="https:\/\/pay\.example\.com"/.test(page.html)).toBe(true);
      expect(page.html).not.toContain(settings.link_secret);
      expect(page.html).toContain("Set. Enter a new one to replace it");
      expect(await shop.site.php("return tillkit_link_secrets();")).toEqual([settings.link_secret]);
    });

    it("a checkout server address without encryption is refused with the reason, and the previous one stays", async () => {
      const saved = await saveSettings(shop.owner, { ...settingsFor("http://pay.example.com"), link_secret: "" });
      expect(saved.words).toContain("The checkout server address must begin with https://");
      expect(await shop.site.php("return tillkit_settings()['checkout_server'];")).toBe("https://pay.example.com");
    });

    it("an update by uploading the zip again keeps settings and secrets", async () => {
      const page = await uploadPlugin(shop.owner);
      const replace = await shop.owner.get(linkWith(page, "overwrite=update-plugin"));
      expect(replace.words).toContain("Plugin updated successfully.");
      expect(await shop.site.php("return tillkit_is_configured();")).toBe(true);
    });

    it("deactivating stops the plugin and keeps its settings", async () => {
      const page = await shop.owner.get("/wp-admin/plugins.php");
      await shop.owner.get(linkWith(page, `action=deactivate&plugin=${encodeURIComponent(PLUGIN)}`));
      expect(await shop.site.php("return function_exists( 'tillkit_settings' );")).toBe(false);
      expect(await shop.site.php("return get_option( 'woocommerce_tillkit_settings' )['store'];")).toBe("boutique");
    });

    it("deleting the plugin leaves no option, no scheduled task and no file, and orders keep their data", async () => {
      await shop.site.php("fake_place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );");
      const page = await shop.owner.get("/wp-admin/plugins.php");
      await shop.owner.post("/wp-admin/plugins.php", {
        _wpnonce: hiddenField(page, "_wpnonce"),
        action: "delete-selected",
        "checked[]": PLUGIN,
        "verify-delete": "1",
      });
      expect((await shop.owner.get("/wp-admin/plugins.php")).words).not.toContain("Tillkit Checkout for WooCommerce");
      expect(await shop.site.php(OPTIONS_OF_PLUGIN)).toEqual([]);
      expect(await shop.site.php("return json_encode( _get_cron_array() );")).not.toContain("tillkit");
      expect(await shop.site.php("return wc_get_order( 1042 )->get_meta( '_tillkit_payment_id' );")).toBe("payment-a");
    });

    it("PHP and WordPress reported no notice, no warning and no deprecation", async () => {
      expect(await shop.site.problems()).toBe("");
    });
  });
}

const OPTIONS_OF_PLUGIN = `global $wpdb;
  return $wpdb->get_col( "SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '%tillkit%'" );`;
