import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type PhpVersion, runPhp } from "./php-version.ts";
import { openShop, type Shop, saveSettings, settingsFor } from "./shop.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;
const plugin = fileURLToPath(new URL("../../..", import.meta.url));
const prestashop = fileURLToPath(new URL("../../../../prestashop", import.meta.url));
const bridge = fileURLToPath(new URL("../../../../php-bridge", import.meta.url));
const versions: readonly PhpVersion[] = ["7.4", "8.1", "8.3", "8.4"];
/** Tests that start or kill processes, or lock one file twice: Node’s PHP can do neither. The machine’s own PHP runs them. */
const NEEDS_PROCESSES =
  /concurrent|Work under a held lock|in a second tab|whose process dies|by a repair|A repair that dies|The note of a finished payment|over HTTP|The lock is a lock also|leads the owner back/;

type Result = { readonly title: string; readonly problem: string | null };

describe.skipIf(skipReason !== null)(`other versions of PHP${skipNote}`, () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop({ version: "6.5", database: "sqlite" });
    await saveSettings(shop.owner, settingsFor("https://pay.example.com"));
    await shop.site.php("fake_place_order();");
  });
  afterAll(() => shop?.site.close());

  it.each(versions)("PHP %s runs the plugin's own tests", async (version) => {
    expect(await passedTests(version, `${plugin}/wordpress-plugin/test`)).toBeGreaterThan(230);
  });

  // What asks the checkout server or is served needs the network, which Node's PHP lacks.
  it.each(versions)("PHP %s runs the tests of the orders of PrestaShop's module", async (version) => {
    const passed = ["orders", "returned-payment", "calls"].map((files) =>
      passedTests(version, `${prestashop}/module/test`, files),
    );
    expect((await Promise.all(passed)).reduce((sum, count) => sum + count)).toBeGreaterThan(25);
  });

  /** Runs what needs no processes. @returns how many passed; the failed ones fail the test */
  async function passedTests(version: PhpVersion, tests: string, files = "*"): Promise<number> {
    const folders = [plugin, bridge, prestashop];
    const output = await runPhp(
      version,
      `$argv = array( 'run.php', '', '${files}' ); require '${tests}/run.php';`,
      folders,
    );
    const results: readonly Result[] = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const withoutProcesses = results.filter(({ title }) => !NEEDS_PROCESSES.test(title));
    expect(withoutProcesses.filter(({ problem }) => problem !== null)).toEqual([]);
    return withoutProcesses.length;
  }

  it.each(versions)(
    "WordPress on PHP %s shows the plugin's pages and answers its routes without a notice",
    async (version) => {
      const output = await runPhp(version, visit(), [shop.site.folder]);
      const { php, settings, order, thankYou, route } = JSON.parse(output.slice(output.lastIndexOf("\n{")));
      expect(php).toMatch(new RegExp(`^${version.replace(".", "\\.")}\\.`));
      expect(settings).toContain("Checkout server address");
      expect(order).toContain("data-tillkit-call");
      expect(thankYou).toContain("tillkit-wait");
      expect(route).toBe(401);
      expect(await shop.site.problems()).toBe("");
    },
  );

  /** One request to the site, as far as PHP on the command line can make it. */
  function visit(): string {
    return `chdir( '${shop.site.folder}' );
      $_SERVER += array( 'HTTP_HOST' => '${new URL(shop.site.url).host}', 'REQUEST_METHOD' => 'GET' );
      define( 'WP_ADMIN', true );
      require '${shop.site.folder}/wp-load.php';
      require_once ABSPATH . 'wp-admin/includes/admin.php';
      wp_set_current_user( 1 );
      set_current_screen( 'woocommerce_page_wc-orders' );
      $output = static function ( callable $show ) { ob_start(); $show(); return ob_get_clean(); };
      $_GET = array( 'section' => 'tillkit' );
      $settings = $output( 'fake_show_settings' );
      $_GET = array( 'id' => '1042' );
      $order = $output( 'fake_show_order_screen' );
      $thank_you = $output( static function () { do_action( 'woocommerce_before_thankyou', 1042 ); do_action( 'woocommerce_thankyou_tillkit', 1042 ); } );
      $route = rest_do_request( new WP_REST_Request( 'POST', '/tillkit/v1/ping' ) )->get_status();
      echo "\n", json_encode( array( 'php' => PHP_VERSION, 'settings' => $settings, 'order' => $order, 'thankYou' => $thank_you, 'route' => $route ) );`;
  }
});
