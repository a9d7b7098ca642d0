import type { Money } from "@tillkit/core";
import type { PlacedOrder } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { afterAll } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { enableNaiveMethod } from "./naive-pattern.ts";

const HELD = "A payment of this order needs a review.";
const storeId = "__default_channel__";

// One Vendure serves all rules; each rule places its own orders.
let opened: Promise<Fixture> | null = null;
async function openVendure(): Promise<Fixture> {
  const fixture = await openFixture("adapter-contract");
  await enableNaiveMethod(fixture);
  return fixture;
}
afterAll(async () => (await opened)?.close());

storeAdapterContract("Vendure", async () => {
  opened ??= openVendure();
  const { probe, test, adapter, variants } = await opened;
  const notes = async ({ ref }: PlacedOrder, held: boolean) =>
    (await probe.notes(ref.orderId)).filter((text) => text.startsWith(HELD) === held);
  const ours = async ({ ref }: PlacedOrder) => (await probe.payments(ref.orderId)).filter((payment) => payment.ours);

  return {
    adapter: adapter(),
    environment: "test",
    currencies: ["XOF"],
    async placeOrder({ total }: { readonly total: Money }) {
      const input = { total: total.minor * 100, variantId: variants.basket };
      const { code } = await test<{ code: string }>("place", input);
      return { ref: { storeId, orderId: code }, attempt: "" };
    },
    async editTotal(placed, total) {
      await test("change", { code: placed.ref.orderId, total: total.minor * 100 });
      return placed;
    },
    makeUnpayable: ({ ref }) => test("change", { code: ref.orderId, state: "Cancelled" }),
    payOutside: ({ ref }) => test("change", { code: ref.orderId, payOutside: true }),
    restart: async () => adapter(),
    probe: {
      paidBy: async (placed) => (await ours(placed))[0]?.paymentId ?? null,
      timesPaid: async (placed) => (await ours(placed)).length,
      holds: (placed) => notes(placed, true),
      notes: (placed) => notes(placed, false),
      refunds: async ({ ref }) =>
        (await probe.refunds(ref.orderId)).map(({ total }) => ({ minor: total / 100, currency: "XOF" })),
    },
    unsupported: {
      USD: "a channel has one currency",
      titles: "Vendure's orders have no title",
      languages: "Vendure stores no language with an order",
      network: "shop and adapter share one process",
      secondAttempt: "Vendure has no ids for attempts to pay",
    },
  };
});
