import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PLUGIN, uploadPlugin } from "./shop.ts";
import { openSite, type Site } from "./site.ts";
import { signIn } from "./visitor.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;
const OPTIONS_OF_PLUGIN = "'woocommerce_tillkit_settings', 'tillkit_link_secrets'";

describe.skipIf(skipReason !== null)(`a network of shops in one WordPress${skipNote}`, () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite({ version: "6.5", database: "mariadb" });
    await uploadPlugin(await signIn(site));
    await becomeNetwork(site);
  });
  afterAll(() => site?.close());

  it("a plugin that is activated for the whole network works in every shop with the settings of that shop", async () => {
    await site.php("activate_plugin( 'woocommerce/woocommerce.php', '', true );");
    expect(await site.php(`return is_wp_error( activate_plugin( '${PLUGIN}', '', true ) );`)).toBe(false);
    for (const shop of [1, 2]) {
      await site.php(`switch_to_blog( ${shop} ); update_option( 'woocommerce_tillkit_settings', array( 'store' => 'shop-${shop}' ) );
        tillkit_save_link_secrets( str_repeat( '${shop}', 40 ), '' );`);
    }
    const stores = await site.php(`$stores = array();
      foreach ( array( 1, 2 ) as $shop ) { switch_to_blog( $shop ); $stores[] = tillkit_settings()['store']; }
      return $stores;`);
    expect(stores).toEqual(["shop-1", "shop-2"]);
  });

  it("deleting the plugin removes the settings and secrets of every shop, and nothing else", async () => {
    await site.php(`switch_to_blog( 2 ); update_option( 'another_option', 'stays' );`);
    await site.php(`deactivate_plugins( array( '${PLUGIN}' ), true, true );
      return delete_plugins( array( '${PLUGIN}' ) );`);
    const left = await site.php(`$left = array();
      foreach ( array( 1, 2 ) as $shop ) {
        switch_to_blog( $shop );
        foreach ( array( ${OPTIONS_OF_PLUGIN}, 'another_option' ) as $name ) { if ( false !== get_option( $name ) ) { $left[] = "$shop $name"; } }
      }
      return $left;`);
    expect(left).toEqual(["2 another_option"]);
  });

  it("PHP and WordPress reported no notice, no warning and no deprecation", async () => {
    expect(await site.problems()).toBe("");
  });
});

/** Makes the site a network of two, as WordPress' page Network Setup does. The number of a site is its blog id, 1 or 2. */
async function becomeNetwork(site: Site): Promise<void> {
  const host = new URL(site.url).host;
  await site.php(`require ABSPATH . 'wp-admin/includes/upgrade.php'; global $wpdb;
    foreach ( $wpdb->tables( 'ms_global' ) as $table => $name ) { $wpdb->$table = $name; }
    install_network();
    return populate_network( 1, '${host}', 'awa@shop.example', 'Shops', '/', false );`);
  const constants = `define( 'MULTISITE', true ); define( 'SUBDOMAIN_INSTALL', false ); define( 'DOMAIN_CURRENT_SITE', '${host}' );
    define( 'PATH_CURRENT_SITE', '/' ); define( 'SITE_ID_CURRENT_SITE', 1 ); define( 'BLOG_ID_CURRENT_SITE', 1 );
    $_SERVER += array( 'HTTP_HOST' => '${host}', 'REMOTE_ADDR' => '127.0.0.1' );`;
  await writeFile(join(site.folder, "network.php"), `<?php\n${constants}\n`);
  await site.php(`return wpmu_create_blog( '${host}', '/second/', 'Second shop', 1 );`);
}
