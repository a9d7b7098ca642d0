import type { OrderRef } from "@tillkit/core";
import { balanceOf, type ShopOrder } from "@tillkit/shopify-simulator";
import type { PlacedOrder, StoreAdapterHarness } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { type AppFixture, GATEWAY, openAppFixture } from "./app-fixture.ts";

storeAdapterContract("Shopify, offsite payments", async () => {
  const fixture = await openAppFixture();
  const { shop } = fixture;
  const adapter = await fixture.adapter();

  async function orderOfPost(posting: ReturnType<typeof shop.startPayment>): Promise<PlacedOrder> {
    const { session, answer } = await posting;
    if (answer.status !== 200) throw new Error(`The post was refused: ${answer.status} ${answer.text}`);
    return { ref: { storeId: shop.domain, orderId: session.group }, attempt: session.gid };
  }

  return {
    adapter,
    environment: "test",
    placeOrder: ({ total, language }) => orderOfPost(shop.startPayment({ total, locale: language, test: true })),
    probe: {
      paidBy: async ({ ref }) => (timesResolved(fixture, ref) > 0 ? await claimant(fixture, ref) : null),
      timesPaid: async ({ ref }) => timesResolved(fixture, ref),
      holds: (order) => noticesOf(fixture, order, "hold"),
      notes: (order) => noticesOf(fixture, order, "note"),
    },
    secondAttempt: ({ ref }) => orderOfPost(shop.openTab(ref.orderId)),
    restart: async () => adapter,
    close: fixture.close,
    unsupported: {
      readBack: "the payments API of Shopify has no reads",
      titles: "Shopify posts no title; our title contains the id of Shopify's session",
      editTotal: "a changed cart is another session; the old one is refused without a reason: see test/simulator",
      makeUnpayable: "Shopify reports that a checkout is over only in its answer to a mutation",
      payOutside: "Shopify does not post that a checkout was paid otherwise",
      network: "Shopify answers a repeated mutation as it answered the first: test/simulator loses answers instead",
    },
  };
});

storeAdapterContract("Shopify, order payments", async () => {
  const fixture = await openAppFixture({ mode: "order" });
  const { shop, simulator, clock } = fixture;
  let pendingDelayMs: number | null = null;
  const orderOf = ({ ref }: Pick<PlacedOrder, "ref">): ShopOrder => {
    const order = shop.orders.find(`gid://shopify/Order/${ref.orderId}`);
    if (!order) throw new Error(`The shop has no order ${ref.orderId}.`);
    return order;
  };

  // The first write about an order's money captures it, and every later one refunds it.
  const nextWrite = () => (shop.record.effectsOf("order-paid").length > 0 ? "refundCreate" : "orderCapture");

  const harness: StoreAdapterHarness = {
    adapter: await fixture.adapter(),
    environment: "test",
    async placeOrder({ total, language }) {
      const order = shop.placeOrder({ total, gateway: GATEWAY, test: true, locale: language });
      return { ref: { storeId: shop.domain, orderId: order.id.replace(/.*\//, "") }, attempt: "" };
    },
    probe: {
      async paidBy(placed) {
        const order = orderOf(placed);
        const isPaid = balanceOf(order).outstanding.minor <= 0;
        return isPaid ? (order.metafields.get("$app:tillkit.payment")?.value ?? null) : null;
      },
      timesPaid: async (placed) =>
        shop.record.effectsOf("order-paid").filter(({ id }) => id === orderOf(placed).id).length,
      holds: (placed) => noticesOf(fixture, placed, "hold"),
      notes: (placed) => noticesOf(fixture, placed, "note"),
      refunds: async (placed) => orderOf(placed).refunds.map(({ amount }) => amount),
    },
    async editTotal(placed, total) {
      shop.editOrder(orderOf(placed).id, total);
      return placed;
    },
    async makeUnpayable(placed) {
      shop.cancelOrder(orderOf(placed).id);
    },
    async payOutside(placed) {
      const order = orderOf(placed);
      shop.payOrderOutside(order.id, balanceOf(order).outstanding);
    },
    restart: async () => harness.adapter,
    network: {
      async whileDown(work) {
        simulator.faults.add({ status: 503, times: 1_000 });
        await work();
        simulator.faults.clear();
        await clock.advance(60_000);
      },
      loseNextAnswer: async (when) =>
        simulator.faults.add({ on: nextWrite(), reset: true, when: when === "after-effect" ? "after" : "before" }),
      async delayNextWrite(delayMs) {
        pendingDelayMs = delayMs;
        simulator.faults.add({ on: nextWrite(), delayMs });
      },
      async advanceTime(ms) {
        // The clock does not advance until the delayed write has reached the shop.
        while (pendingDelayMs !== null && !fixture.delays.includes(pendingDelayMs)) await waitForRequests();
        pendingDelayMs = null;
        await waitForRequests();
        await clock.advance(ms);
        await waitForRequests();
      },
    },
    close: fixture.close,
    unsupported: {
      titles: "the title of an order is its number in Shopify",
      secondAttempt: "an order of Shopify has one attempt at a time, which all tabs share",
    },
  };
  return harness;
});

function timesResolved({ shop }: AppFixture, { orderId }: OrderRef): number {
  return shop.record.effectsOf("resolved").filter(({ parentId }) => parentId === orderId).length;
}

async function claimant({ ledger }: AppFixture, { storeId, orderId }: OrderRef): Promise<string | null> {
  const row = await ledger.records.get(storeId, "shopify-group", orderId);
  return (row?.value as { paymentId?: string } | null)?.paymentId ?? null;
}

async function noticesOf({ ledger, shop }: AppFixture, { ref }: PlacedOrder, kind: string): Promise<readonly string[]> {
  const rows = await ledger.records.list({ kind: "shopify-notice", storeId: shop.domain, limit: 100 });
  return rows
    .map(({ value }) => value as { kind: string; orderId: string; text: string })
    .filter((notice) => notice.kind === kind && notice.orderId === ref.orderId)
    .map(({ text }) => text);
}

/** Waits in real time until requests have arrived, while the clock of the shop does not advance. */
function waitForRequests(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60));
}
