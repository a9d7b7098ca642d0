import { zip } from "../../../../php-bridge/zip/plugin-zip.ts";
import { pluginFiles } from "../../plugin-files.ts";
import { openSite, type Site, type SiteOptions } from "./site.ts";
import { hiddenField, linkWith, type Page, signIn, type Visitor } from "./visitor.ts";

/** The oldest WordPress that the plugin supports, and the newest that can be had from npm. */
export const SITES: readonly SiteOptions[] = [
  { version: "6.5", database: "mariadb" },
  { version: "6.2", database: "sqlite" },
];

export const PLUGIN = "tillkit-checkout/tillkit-checkout.php";
export const STORE_ID = "boutique";
export const LINK_SECRET = "a link secret of the tests, never of a real shop";

export const SETTINGS_PAGE = "/wp-admin/admin.php?page=wc-settings&tab=checkout&section=tillkit";

export type Shop = { readonly site: Site; readonly owner: Visitor };

/** A WordPress with WooCommerce's fake and our plugin, installed and activated by its owner on WordPress's own pages. */
export async function openShop(options: SiteOptions): Promise<Shop> {
  const site = await openSite(options);
  try {
    const owner = await signIn(site);
    await activate(owner, "woocommerce/woocommerce.php");
    await uploadPlugin(owner);
    await activate(owner, PLUGIN);
    return { site, owner };
  } catch (error) {
    // Without this the web server of a site that could not be set up would run on.
    await site.close();
    throw error;
  }
}

/** Uploads the zip under Plugins, Add New, Upload Plugin. */
export async function uploadPlugin(owner: Visitor): Promise<Page> {
  const form = await owner.get("/wp-admin/plugin-install.php?tab=upload");
  return await owner.post("/wp-admin/update.php?action=upload-plugin", {
    _wpnonce: hiddenField(form, "_wpnonce"),
    _wp_http_referer: "/wp-admin/plugin-install.php",
    pluginzip: new Blob([Buffer.from(zip(pluginFiles()))], { type: "application/zip" }),
    "install-plugin-submit": "Install Now",
  });
}

/** Follows the link "Activate" on the page with the plugins. */
export async function activate(owner: Visitor, plugin: string): Promise<Page> {
  const page = await owner.get("/wp-admin/plugins.php");
  return await owner.get(linkWith(page, `action=activate&plugin=${encodeURIComponent(plugin)}`));
}

/** Saves the form with the settings. Fields that are not given are empty, as an owner leaves them. */
export async function saveSettings(owner: Visitor, fields: Readonly<Record<string, string>>): Promise<Page> {
  const form = await owner.get(SETTINGS_PAGE);
  const typed = Object.entries(fields).map(([name, value]) => [`woocommerce_tillkit_${name}`, value]);
  return await owner.post(SETTINGS_PAGE, {
    _wpnonce: hiddenField(form, "_wpnonce"),
    save: "Save changes",
    ...Object.fromEntries(typed),
  });
}

/** Settings with which shoppers see the payment method. */
export function settingsFor(checkoutServer: string): Readonly<Record<string, string>> {
  return {
    enabled: "1",
    title: "Mobile money",
    description: "Pay & come back",
    checkout_server: checkoutServer,
    store: STORE_ID,
    link_secret: LINK_SECRET,
    test: "1",
  };
}

/** Presses a button of the plugin: the script sends what the button's frame contains. */
export async function press(owner: Visitor, page: Page, action: string, fields = {}): Promise<Page> {
  const [frame = ""] = new RegExp(`<div[^>]*data-tillkit-call[^>]*data-action="${action}"[^>]*>`).exec(page.html) ?? [];
  const [, nonce = ""] = /data-nonce="([^"]+)"/.exec(frame) ?? [];
  return await owner.post("/wp-admin/admin-ajax.php", { action, nonce, ...fields });
}
