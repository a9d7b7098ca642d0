import type { Money } from "@tillkit/core";
import type { PlacedOrder } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { afterAll, expect, it } from "vitest";
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

it("a worker that slept for thirty hours before its commit writes no payment, note or refund to Vendure", async () => {
  opened ??= openVendure();
  const { probe, callTestPlugin, adapter, variants } = await opened;
  const { code: orderId } = await callTestPlugin<{ code: string }>("place", {
    total: 500_000,
    variantId: variants.basket,
  });
  const ref = { storeId, orderId };
  const amount = { minor: 5_000, currency: "XOF" } as const;
  const ids = { ref, attempt: "", paymentId: "pay_slept" };
  const receipt = {
    ...ids,
    sessionId: "cs_1",
    transactionId: "txn_1",
    paid: amount,
    total: amount,
    environment: "test",
    fence: 1,
  } as const;
  const refund = { ...ids, refundId: "re_slept", key: "key", amount, status: "completed" } as const;
  const slept = adapter({ sleepMs: 30 * 3_600_000 });
  const tooLate = { code: "unavailable" };
  await expect(slept.markPaid(receipt)).rejects.toMatchObject(tooLate);
  await expect(slept.addNote(ref, "key", "Paid twice.")).rejects.toMatchObject(tooLate);
  expect([await probe.payments(orderId), await probe.notes(orderId)]).toEqual([[], []]);
  expect(await adapter().markPaid(receipt)).toMatchObject({ outcome: "recorded" });
  await expect(slept.recordRefund(refund)).rejects.toMatchObject(tooLate);
  expect(await probe.refunds(orderId)).toEqual([]);
  expect(await adapter().recordRefund(refund)).toMatchObject({ outcome: "recorded" });
});

it("an order that Vendure settled without an answer has one note that asks its owner to look whether the e-mails were sent", async () => {
  opened ??= openVendure();
  const { probe, callTestPlugin, adapter, variants } = await opened;
  const { code: orderId } = await callTestPlugin<{ code: string }>("place", {
    total: 500_000,
    variantId: variants.basket,
  });
  const amount = { minor: 5_000, currency: "XOF" } as const;
  const receipt = {
    ref: { storeId, orderId },
    attempt: "",
    paymentId: "pay_unanswered",
    sessionId: "cs_1",
    transactionId: "txn_1",
    paid: amount,
    total: amount,
    environment: "test",
    fence: 1,
  } as const;
  expect(await adapter().markPaid(receipt)).toMatchObject({ outcome: "recorded" });
  expect(await adapter().markPaid(receipt)).toMatchObject({ outcome: "already" });
  expect(await probe.notes(orderId)).toEqual([]);
  const other = { ...receipt, paymentId: "pay_other", unanswered: true } as const;
  expect(await adapter().markPaid(other)).toMatchObject({ outcome: "other-payment" });
  const unanswered = { ...receipt, unanswered: true } as const;
  for (const _ of ["first", "again"])
    expect(await adapter().markPaid(unanswered)).toMatchObject({ outcome: "already" });
  expect(await probe.notes(orderId)).toEqual([
    "The order is paid. Vendure was interrupted while it settled the order: check whether you and the customer got its e-mails.",
  ]);
});
