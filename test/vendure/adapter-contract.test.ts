import type { Money } from "@tillkit/core";
import type { PlacedOrder } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { afterAll } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { createPaymentMethod } from "./steps.ts";

const REVIEW_NOTE = "A payment of this order needs a review.";
const storeId = "__default_channel__";

// One Vendure serves all rules; each rule places its own orders.
let opened: Promise<Fixture> | null = null;
async function openVendure(): Promise<Fixture> {
  const fixture = await openFixture("adapter-contract");
  await createPaymentMethod(fixture, "naive");
  return fixture;
}
afterAll(async () => (await opened)?.close());

storeAdapterContract("Vendure", async () => {
  opened ??= openVendure();
  const { probe, callTestPlugin, adapter, variants } = await opened;
  const isReviewNote = (text: string) => text.startsWith(REVIEW_NOTE);
  const ourPayments = async ({ ref }: PlacedOrder) =>
    (await probe.payments(ref.orderId)).filter((payment) => payment.ours);

  return {
    adapter: adapter(),
    environment: "test",
    currencies: ["XOF"],
    async placeOrder({ total }: { readonly total: Money }) {
      const input = { total: total.minor * 100, variantId: variants.basket };
      const { code } = await callTestPlugin<{ code: string }>("place", input);
      return { ref: { storeId, orderId: code }, attempt: "" };
    },
    async editTotal(placed, total) {
      await callTestPlugin("change", { code: placed.ref.orderId, total: total.minor * 100 });
      return placed;
    },
    makeUnpayable: ({ ref }) => callTestPlugin("change", { code: ref.orderId, state: "Cancelled" }),
    payOutside: ({ ref }) => callTestPlugin("change", { code: ref.orderId, payOutside: true }),
    restart: async () => adapter(),
    probe: {
      paidBy: async (placed) => (await ourPayments(placed))[0]?.paymentId ?? null,
      timesPaid: async (placed) => (await ourPayments(placed)).length,
      holds: async ({ ref }) => (await probe.notes(ref.orderId)).filter(isReviewNote),
      notes: async ({ ref }) => (await probe.notes(ref.orderId)).filter((text) => !isReviewNote(text)),
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
