import { systemClock } from "@tillkit/core";
import { createPluginRoutes, type PluginRoutes } from "@tillkit/php-bridge";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PLUGIN_PLACE } from "../../../src/protocol/names.ts";
import { LINK_SECRET, openShop, type Shop, SITES, STORE_ID, saveSettings, settingsFor } from "./shop.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;
const CALLS = 20;

for (const options of SITES) {
  const title = `one writer for each order in WordPress ${options.version} on ${options.database}${skipNote}`;

  // On MariaDB the lock is a named lock of the database, on SQLite a row of WordPress's options.
  describe.skipIf(skipReason !== null)(title, () => {
    let shop: Shop;
    let routes: PluginRoutes;

    beforeAll(async () => {
      shop = await openShop(options);
      await saveSettings(shop.owner, settingsFor("https://pay.example.com"));
      routes = routesWith(LINK_SECRET);
    });
    afterAll(() => shop?.site.close());

    function routesWith(linkSecret: string): PluginRoutes {
      return createPluginRoutes({
        url: shop.site.url,
        place: PLUGIN_PLACE,
        storeId: STORE_ID,
        linkSecret,
        clock: systemClock,
      });
    }

    it("twenty simultaneous calls mark the order paid once", async () => {
      await shop.site.php("fake_place_order( array( 'id' => 1042 ) );");
      const replies = await Promise.all(
        Array.from({ length: CALLS }, () => routes.call("mark-paid", markPaid(1042, "a"))),
      );
      expect(replies.map(outcomeOf).sort()).toEqual([
        ...Array.from({ length: CALLS - 1 }, () => "already"),
        "recorded",
      ]);
      expect(await stored(1042)).toMatchObject({ completed: 1, status: "processing", transaction: "tx_a" });
    });

    it("of two payments that arrive together one pays the order, and the other is answered as a second payment", async () => {
      await shop.site.php("fake_place_order( array( 'id' => 1043 ) );");
      const payments = ["a", "b", "a", "b", "a", "b"];
      const replies = await Promise.all(payments.map((payment) => routes.call("mark-paid", markPaid(1043, payment))));
      const outcomes = replies.map(outcomeOf).sort();
      expect(outcomes).toEqual(["already", "already", "other-payment", "other-payment", "other-payment", "recorded"]);
      expect(await stored(1043)).toMatchObject({ completed: 1 });
    });

    it.each([
      ["before the stock is taken", "woocommerce_order_status_processing", 1],
      ["after the stock was taken", "woocommerce_order_status_processing", 99],
      ["after the e-mail to the owner", "woocommerce_email_sent", 99],
      ["after both e-mails", "woocommerce_order_status_pending_to_processing", 99],
      ["after the payment was complete", "woocommerce_payment_complete", 99],
    ] as const)("a payment whose PHP is killed %s is finished by the next call", async (_place, hook, priority) => {
      const order = nextOrder();
      await shop.site.php(`fake_place_order( array( 'id' => ${order} ) );`);
      const dying = `add_action( '${hook}', static function () { posix_kill( getmypid(), 9 ); }, ${priority} ); ${markPaidInside(order)}`;
      await expect(shop.site.php(dying)).rejects.toMatchObject({ signal: "SIGKILL" });
      // A lock in a row expires 120 s after its holder has died; a named lock ends with its connection.
      await shop.site.php(`delete_option( 'tillkit_lock_${order}' );`);
      expect(outcomeOf(await routes.call("mark-paid", markPaid(order, "a")))).toBe("already");
      await expectFinished(order);
    });

    it("an error that another plugin throws while an order is being marked paid costs neither stock nor e-mail", async () => {
      const order = nextOrder();
      await shop.site.php(`fake_place_order( array( 'id' => ${order} ) );`);
      const failing = `add_action( 'woocommerce_order_status_processing', static function () { throw new Error( 'a fatal error' ); }, 1 );`;
      expect(await shop.site.php(`${failing} ${markPaidInside(order)}`)).toMatchObject({ outcome: "recorded" });
      await expectFinished(order);
    });

    async function expectFinished(order: number): Promise<void> {
      const mails = ["new_order", "customer_processing_order"];
      expect(await stored(order)).toMatchObject({
        status: "processing",
        stock_reduced: 1,
        mails,
        notes: [expect.any(String)],
      });
    }

    it("a call signed with another secret changes nothing", async () => {
      await shop.site.php("fake_place_order( array( 'id' => 1044 ) );");
      const stranger = routesWith("the link secret of a stranger, thirty-two long");
      const reply = await stranger.call("mark-paid", markPaid(1044, "a"));
      expect(reply).toMatchObject({ kind: "unreachable", status: 401, code: "tillkit_signature_invalid" });
      expect(await stored(1044)).toMatchObject({ completed: 0, status: "pending" });
    });

    it("no lock is left behind, and PHP reported nothing", async () => {
      const locks = `global $wpdb; return (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->options} WHERE option_name LIKE 'tillkit_lock_%'" );`;
      expect(await shop.site.php(locks)).toBe(0);
      expect(await shop.site.problems()).toBe("");
    });

    async function stored(orderId: number): Promise<unknown> {
      return await shop.site.php(`return Shop_State::read()['orders'][${orderId}];`);
    }
  });
}

let orders = 1100;

function nextOrder(): number {
  return ++orders;
}

/** PHP that marks an order paid as the plugin's route does, in a process of its own. */
function markPaidInside(order: number): string {
  return `return tillkit_with_lock( '${order}', 5, static function () {
    return tillkit_run_as_checkout_server( static function () {
      return tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', json_decode( '${JSON.stringify(markPaid(order, "a"))}', true ) ), time() );
    } );
  } );`;
}

/** The body of a call that marks an order of 5000 F CFA paid. */
function markPaid(orderId: number, payment: string) {
  return {
    order: String(orderId),
    key: "wc_order_AbC123xyZ",
    amount: "5000.00",
    currency: "XOF",
    payment: `payment-${payment}`,
    transaction: `tx_${payment}`,
    fence: 1,
  };
}

function outcomeOf(reply: Awaited<ReturnType<PluginRoutes["call"]>>): unknown {
  return "body" in reply && "outcome" in reply.body ? reply.body.outcome : reply;
}
