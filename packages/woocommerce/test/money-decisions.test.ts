import { type Dispute, limits, type Payment, runDue, systemClock } from "@tillkit/core";
import type { ShopOrder } from "@tillkit/fake-woocommerce";
import { credentialsOf } from "@tillkit/php-bridge";
import { expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { readWooCommerceConfig } from "../src/config/read-config.ts";
import { refundedAtService } from "./money-steps.ts";
import { openServerFixture, type ServerFixture } from "./server-fixture.ts";

const OPERATORS = { operators: { tokens: ["a token of the tests, never a real one"] } };
const xof = (minor: number) => ({ minor, currency: "XOF" });

async function openPaidOrder(): Promise<{ fixture: ServerFixture; order: ShopOrder; payment: Payment }> {
  const fixture = await openServerFixture({ config: OPERATORS });
  const { order, payment } = await fixture.openOrder();
  await fixture.pay(payment);
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  return { fixture, order, payment: await fixture.payment(order.id) };
}

/** An event of the service has reported a dispute of the payment. `isLost`: it took everything back. */
async function disputePayment({ ledger }: ServerFixture, id: string, minor: number, isLost = false): Promise<void> {
  const payment = (await ledger.find({ id })) as Payment;
  const now = Date.now();
  const dispute: Dispute = {
    id: "dispute-1",
    paymentId: id,
    transactionId: payment.transactionId,
    amount: xof(minor),
    reason: "fraudulent",
    status: isLost ? "closed" : "pending",
    outcome: isLost ? "lost" : null,
    evidenceDueBy: null,
    openedAt: now,
    updatedAt: now,
  };
  const next = { ...payment, lostToDispute: isLost, version: payment.version + 1 };
  await ledger.commit({ payment: { next, expect: payment.version }, disputes: [dispute], timeline: [] });
}

const refundInput = (order: ShopOrder, amount: string) => ({
  order: String(order.id),
  key: order.key,
  refund_key: `refund-key-${amount}`,
  amount,
  currency: "XOF",
});

it.each([
  ["en", /disputed: .* can be refunded\. Decide there:/],
  ["fr", /contestés : .* peuvent être remboursés\./],
])(
  "a refund over a dispute is refused with the sums and the operators' link, in the language %s",
  async (language, text) => {
    const { fixture, order, payment } = await openPaidOrder();
    await disputePayment(fixture, payment.id, 4_000);
    const refused = await fixture.call("refund", { ...refundInput(order, "2000"), language });
    expect(refused).toMatchObject({ status: 409, body: { code: "tillkit_refund_refused" } });
    expect(refused.body.message).toMatch(text);
    const { decisionUrl } = fixture.server().checkout.engine;
    expect(refused.body.message).toContain(decisionUrl(payment) ?? ".");
    expect(await refundedAtService(fixture)).toBe(0);
    expect(await fixture.call("refund", refundInput(order, "1000"))).toMatchObject({ status: 200 });
    expect(await refundedAtService(fixture)).toBe(1_000);
  },
);

it.each(["duplicate", "order_not_payable"] as const)(
  "a payment whose automatic refund (%s) a dispute stops is marked once the refund is overdue, and stays marked when the owner looks",
  async (rule) => {
    let late = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + late };
    const fixture = await openServerFixture({ config: { autoRefund: [rule] }, clock });
    const { order, payment: first } = await fixture.openOrder();
    const { shop } = fixture.fake;
    if (rule === "order_not_payable") shop.edit(order.id, { status: "cancelled" });
    else {
      shop.edit(order.id, { total: "6000" });
      await fixture.follow(order);
      shop.edit(order.id, { total: "5000" });
      await fixture.pay(first);
      await waitFor(() => expect(shop.order(order.id)?.status).toBe("processing"));
    }
    const payment = await fixture.payment(order.id);
    await disputePayment(fixture, payment.id, 1_000);
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toMatch(/duplicate|review/));
    const reasons = async () => {
      const name = { order: String(order.id), key: order.key };
      return (await fixture.call("status", name, { offsetSeconds: late / 1_000 })).body.reasons;
    };
    expect(await reasons()).toEqual([]);
    late = limits.autoRefundNoteMs;
    const asked = rule === "duplicate" ? "duplicate" : "closed";
    await waitFor(async () => {
      await runDue(fixture.server().checkout.engine);
      expect(shop.order(order.id)?.meta._tillkit_decision).toBe(asked);
    });
    expect(await reasons()).toEqual([asked]);
    expect(await refundedAtService(fixture)).toBe(0);
  },
);

it("an owner who has looked in the dashboard ends a refund in doubt, and the ledger and the order know it", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  await fixture.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 503, times: 1_000 });
  expect(await fixture.call("refund", refundInput(order, "1500"))).toMatchObject({ body: { state: "unknown" } });
  const keyFields = { order: String(order.id), key: order.key, language: "en" };
  const read = async () => (await fixture.call("status", keyFields)).body as never as ShownOrder;
  expect((await read()).refunds).toMatchObject([{ doubt: null }]);
  await requestedLongAgo(fixture, payment.id);
  const shown = await read();
  expect(shown).toMatchObject({
    attention: true,
    payments: [{ sums: expect.stringContaining("being refunded") }],
    refunds: [{ payment: payment.id, doubt: expect.stringContaining("Look in its dashboard") }],
  });
  const [{ seen } = { seen: "" }] = shown.payments;
  const [{ refund_key } = { refund_key: "" }] = shown.refunds;
  const answer = {
    ...keyFields,
    decision: "refund-outcome",
    payment: payment.id,
    refund_key,
    made: "no",
    by: "shop_manager #7",
  };
  expect(await fixture.call("decide", { ...answer, seen: "0".repeat(32) })).toMatchObject({ status: 409 });
  const decided = await fixture.call("decide", { ...answer, seen });
  expect(decided).toMatchObject({ status: 200, body: { refunds: [{ state: "failed", doubt: null }] } });
  expect(JSON.stringify(decided.body.timeline)).toContain("shop_manager #7");
  expect(await fixture.call("decide", { ...answer, seen, made: "yes" })).toMatchObject({ status: 409 });
  // WooCommerce shows the refund, so its owner must learn that it was not made.
  await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_attention).toBe("refund_failed"));
});

it("an order whose payment a dispute took back is marked, and is paid by another payment once its owner reopens it", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  await disputePayment(fixture, payment.id, 5_000, true);
  const adapter = await fixture.server().checkout.engine.store("boutique");
  await adapter.addNote?.(payment.ref, "dispute:dispute-1:closed", "You lost the dispute.");
  const meta = () => fixture.fake.shop.order(order.id)?.meta;
  expect(meta()).toMatchObject({ _tillkit_lost_payment: payment.id, _tillkit_attention: "lost_to_dispute" });
  expect(await adapter.findOrder(payment.ref, "")).toMatchObject({ paidBy: payment.id });
  fixture.fake.shop.edit(order.id, { status: "pending" });
  expect(await adapter.findOrder(payment.ref, "")).toMatchObject({ paidBy: null, payable: true });
  await fixture.follow(order);
  const second = await fixture.payment(order.id);
  expect(second.id).not.toBe(payment.id);
  await fixture.pay(second);
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  expect(fixture.fake.shop.order(order.id)).toMatchObject({
    status: "processing",
    meta: { _tillkit_payment_id: second.id },
  });
});

it("an order that was paid, refunded and reopened can be paid again, and is paid once", async () => {
  const { fixture, order, payment } = await openPaidOrder();
  expect(await fixture.call("refund", refundInput(order, "5000"))).toMatchObject({ status: 200 });
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("refunded"));
  const { shop } = fixture.fake;
  shop.edit(order.id, { status: "refunded" });
  const adapter = await fixture.server().checkout.engine.store("boutique");
  expect(await adapter.findOrder(payment.ref, "")).toMatchObject({ paidBy: payment.id });
  shop.edit(order.id, { status: "pending" });
  await fixture.follow(order);
  expect(shop.order(order.id)?.meta).not.toHaveProperty("_tillkit_attention", "lost_to_dispute");
  const second = await fixture.payment(order.id);
  expect(second.id).not.toBe(payment.id);
  await fixture.pay(second);
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  expect(shop.order(order.id)).toMatchObject({ status: "processing", meta: { _tillkit_payment_id: second.id } });
  // Its owner reopens it once more by mistake: the second payment is there.
  shop.edit(order.id, { status: "pending" });
  expect(await adapter.findOrder(payment.ref, "")).toMatchObject({ paidBy: second.id, payable: false });
});

it("the credential of a shop keeps its id when another account is configured, so that old payments are still read and refunded", () => {
  const store = {
    id: "boutique",
    url: "https://shop.example",
    linkSecret: "a link secret of the tests, never of a shop",
  };
  const keys = {
    apiKey: "svc_sk_test_of_the_tests",
    webhookSecrets: ["whsec_of_the_tests"],
    currencies: ["XOF" as const],
  };
  const idsWith = (account: object) => {
    const config = readWooCommerceConfig({
      publicUrl: "https://pay.example",
      database: "sqlite::memory:",
      keys: ["a key of the tests that signs links, never of a real host"],
      service: { baseUrl: "https://service.example" },
      stores: [{ ...store, ...keys, ...account }],
    });
    return credentialsOf(config).map(({ id }) => id);
  };
  expect(idsWith({ account: "acct_1" })).toEqual(idsWith({}));
});

type ShownOrder = {
  readonly payments: readonly { readonly seen: string }[];
  readonly refunds: readonly { readonly refund_key: string }[];
};

/** The engine has had the time to settle the refund by reading. */
async function requestedLongAgo({ ledger }: ServerFixture, paymentId: string): Promise<void> {
  const payment = (await ledger.find({ id: paymentId })) as Payment;
  const requestedAt = Date.now() - limits.refundSettlesMs - 60_000;
  const refunds = (await ledger.refunds(paymentId)).map((refund) => ({ ...refund, requestedAt, readOnlySince: null }));
  const next = { ...payment, version: payment.version + 1 };
  await ledger.commit({ payment: { next, expect: payment.version }, refunds, timeline: [] });
}
