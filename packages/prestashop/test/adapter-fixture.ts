import { parseMoney } from "@tillkit/core";
import { createBridgedStore, type LinkSecrets } from "@tillkit/php-bridge";
import { createPrestaShopAdapter, PRESTASHOP, type PrestaShopAdapterHost } from "@tillkit/prestashop";
import { createManualClock, type PlacedOrder, type StoreAdapterHarness } from "@tillkit/testkit";
import { startFakeModule } from "./fake-module.ts";

export const STORE_ID = "boutique";
const LINK_SECRET = "a link secret of the tests, never of a real shop";
const SECRETS: LinkSecrets = [LINK_SECRET];

/** The real time that requests over the loopback interface need to arrive, while the virtual clock stands still. */
const ARRIVAL_MS = 60;
const MAX_WAITS = 200;

/** The keys of the fake shop, as the checkout server learns them from pay links. */
export const KNOWN_KEYS: PrestaShopAdapterHost = { keyOf: async ({ orderId }) => `key-of-${orderId}` };

/** A shop with the module, over HTTP and in virtual time. */
export async function openModule(host: PrestaShopAdapterHost = {}) {
  const clock = createManualClock();
  const shop = await startFakeModule({ clock, store: STORE_ID, secrets: SECRETS });
  const connect = (url = shop.url) =>
    createPrestaShopAdapter(
      createBridgedStore(PRESTASHOP, {
        ...{ url, storeId: STORE_ID, linkSecret: LINK_SECRET, environment: "test", language: "en", clock },
      }),
      host,
    );
  return { clock, shop, connect };
}

/** The probes of the harness read the state of the shop directly. */
export async function openAdapterFixture(host?: PrestaShopAdapterHost): Promise<StoreAdapterHarness> {
  const { clock, shop, connect } = await openModule(host);
  const order = ({ ref }: PlacedOrder) => shop.orders.get(ref.orderId);
  const notes = (placed: PlacedOrder, kind: string) =>
    (order(placed)?.notes ?? []).filter(({ marker }) => marker.startsWith(`[tillkit ${kind} `)).map(({ text }) => text);
  let expectedHeldCalls = 0;

  return {
    adapter: connect(),
    environment: "test",
    async placeOrder(input) {
      return { ref: { storeId: STORE_ID, orderId: shop.place(input).id }, attempt: "" };
    },
    probe: {
      paidBy: async (placed) => (order(placed)?.hasBeenPaid === true ? (order(placed)?.paymentId ?? null) : null),
      timesPaid: async (placed) => order(placed)?.timesPaid ?? 0,
      holds: async (placed) => notes(placed, "hold"),
      notes: async (placed) => notes(placed, "note"),
      refunds: async (placed) =>
        (order(placed)?.refunds ?? []).map(({ amount }) => parseMoney(amount, order(placed)?.total.currency ?? "")),
    },
    async editTotal(placed, total) {
      Object.assign(order(placed) ?? {}, { total });
      return placed;
    },
    async makeUnpayable(placed) {
      Object.assign(order(placed) ?? {}, { state: "cancelled" });
    },
    async payOutside(placed) {
      Object.assign(order(placed) ?? {}, { module: "ps_wirepayment", state: "paid", hasBeenPaid: true });
    },
    restart: async () => connect(),
    network: {
      whileDown: shop.whileDown,
      loseNextAnswer: async (when) => shop.failNextCall(`lost-${when}`),
      delayNextWrite: async (lateMs) => {
        expectedHeldCalls = shop.state.heldCalls + 1;
        shop.failNextCall({ lateMs });
      },
      async advanceTime(ms) {
        await arrival();
        for (let waits = 0; waits < MAX_WAITS && shop.state.heldCalls < expectedHeldCalls; waits += 1) await arrival();
        expectedHeldCalls = 0;
        await clock.advance(ms);
        await arrival();
      },
    },
    unsupported: { secondAttempt: "an order of PrestaShop has one payment attempt at a time, shared by all tabs" },
    close: shop.close,
  };
}

export function arrival(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ARRIVAL_MS));
}
