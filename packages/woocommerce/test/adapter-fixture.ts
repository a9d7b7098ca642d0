import { decimalText, parseMoney } from "@tillkit/core";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createManualClock, type PlacedOrder, type StoreAdapterHarness } from "@tillkit/testkit";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { createWooStore, type WriteOrdersBy } from "../src/store/woo-store.ts";

export const LINK_SECRET = "a link secret of the tests, never of a real shop";
const STORE_ID = "boutique";

/** The real time that requests over the loopback interface need to arrive, while the virtual clock stands still. */
const ARRIVAL_MS = 60;
/** How many times to wait `ARRIVAL_MS` for a delayed request. */
const MAX_WAITS = 200;

/**
 * A fake shop over HTTP in virtual time. The probes of the harness read the state of the shop directly. Without a REST key the
 * adapter reaches the shop through the plugin only.
 */
export async function openAdapterFixture(
  writeOrdersBy: WriteOrdersBy,
  { hasRestKey = true } = {},
): Promise<StoreAdapterHarness> {
  const clock = createManualClock();
  const plugin = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ clock, ...(writeOrdersBy === "rest" ? {} : { plugin }) });
  const { shop, faults } = fake;
  const connect = () =>
    createWooCommerceAdapter(
      createWooStore({
        ...fake,
        ...(hasRestKey ? {} : { consumerKey: undefined, consumerSecret: undefined }),
        storeId: STORE_ID,
        linkSecret: LINK_SECRET,
        environment: "test",
        writeOrdersBy,
        clock,
      }),
    );

  /** The number that `faults.heldWrites` reaches when the delayed write has arrived at the shop. */
  let expectedHeldWrites = 0;

  // Even on a slow machine the clock advances only after the delayed write has arrived.
  async function passTime(ms: number): Promise<void> {
    await waitForArrival();
    for (let waits = 0; waits < MAX_WAITS && faults.heldWrites < expectedHeldWrites; waits += 1) await waitForArrival();
    expectedHeldWrites = 0;
    await clock.advance(ms);
    await waitForArrival();
  }

  // The note of a payment over REST is not awaited, and must not take the fault of the next write.
  async function waitForQuiet(): Promise<void> {
    await waitForArrival();
    for (let waits = 0; waits < MAX_WAITS && faults.requestsInFlight > 0; waits += 1) await waitForArrival();
  }

  return {
    adapter: connect(),
    environment: "test",
    async placeOrder({ total, title, language }) {
      const order = shop.placeOrder({
        total: decimalText(total),
        currency: total.currency,
        itemName: title,
        meta: { _tillkit_language: language },
      });
      return { ref: { storeId: STORE_ID, orderId: String(order.id) }, attempt: "" };
    },
    probe: {
      paidBy: async ({ ref }) => {
        const order = shop.order(ref.orderId);
        return (order?.datePaid && order.meta._tillkit_payment_id) || null;
      },
      timesPaid: async ({ ref }) => shop.effects.filter(({ orderId }) => String(orderId) === ref.orderId).length,
      holds: async (placed) => notes(placed, "hold"),
      notes: async (placed) => notes(placed, "note"),
      refunds: async ({ ref }) =>
        shop.refunds(ref.orderId).map(({ amount }) => parseMoney(amount, shop.order(ref.orderId)?.currency ?? "")),
    },
    async editTotal(placed, total) {
      shop.edit(placed.ref.orderId, { total: decimalText(total), currency: total.currency });
      return placed;
    },
    async makeUnpayable({ ref }) {
      shop.edit(ref.orderId, { status: "cancelled" });
    },
    async payOutside({ ref }) {
      shop.edit(ref.orderId, { status: "processing", paymentMethod: "cod" });
    },
    restart: async () => connect(),
    network: {
      async whileDown(work) {
        faults.disturb("maintenance");
        await work();
        faults.disturb(null);
      },
      loseNextAnswer: async (when) => {
        await waitForQuiet();
        faults.failNextWrite(`lost-${when}`);
      },
      delayNextWrite: async (lateMs) => {
        await waitForQuiet();
        expectedHeldWrites = faults.heldWrites + 1;
        faults.failNextWrite({ lateMs });
      },
      advanceTime: passTime,
    },
    unsupported: { secondAttempt: "an order of WooCommerce has one payment attempt at a time, shared by all tabs" },
    close: fake.close,
  };

  function notes({ ref }: PlacedOrder, kind: string): readonly string[] {
    return shop.notes(ref.orderId).filter((note) => note.includes(`[tillkit ${kind} `));
  }
}

function waitForArrival(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ARRIVAL_MS));
}
