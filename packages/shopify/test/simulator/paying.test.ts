import type { Payment } from "@tillkit/core";
import type { PaymentSession } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, HOUR, MINUTE, openFixture, TOTAL } from "./fixture.ts";

/** A shopper in a checkout of 12 500 F who chose our payment method and reached the hosted page. */
async function shopperOnHostedPage() {
  const fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  return { fixture, session, payment: await fixture.visit(session) };
}

/** Pays by mobile money, which stays pending. Returns the id of the service's transaction. */
async function payPending(fixture: Fixture, { session }: Payment): Promise<string> {
  const request = { method: "wave", outcome: "pending" } as const;
  const transaction = await fixture.sandbox.control.paySession(session?.id ?? "", request);
  await fixture.until(async () =>
    (await fixture.sandbox.control.listDeliveries()).some(({ attempts }) => attempts.length > 0),
  );
  await fixture.advanceTime(2 * MINUTE);
  return String(transaction.transaction_id);
}

function returnUrl({ request }: { readonly request: string }): string {
  return JSON.parse(request).success_url;
}

function cancelUrl({ request }: { readonly request: string }): string {
  return JSON.parse(request).cancel_url;
}

function expectPaidOnce(fixture: Fixture, session: PaymentSession): void {
  expect(fixture.shop.record.effectsOf("resolved")).toMatchObject([{ id: session.gid, parentId: session.group }]);
  expect(fixture.shop.sessions.checkouts.get(session.group)?.status).toBe("paid");
}

/** The signals that a payment arrived. */
const SIGNALS = {
  return: async (fixture: Fixture, session: PaymentSession) => {
    await fixture.open(returnUrl(await fixture.payment(session)));
  },
  webhook: async (fixture: Fixture, session: PaymentSession) => {
    const { session: checkoutSession } = await fixture.payment(session);
    const events = await fixture.sandbox.control.listEvents({ sessionId: checkoutSession?.id ?? "" });
    fixture.unblockWebhooks();
    for (const { id } of events) await fixture.sandbox.control.deliverEvent(id);
    await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
  },
  timer: async (fixture: Fixture) => {
    await fixture.advanceTime(3 * MINUTE);
  },
} as const;

type Signal = keyof typeof SIGNALS;

const SEQUENCES: readonly (readonly Signal[])[] = [
  ["return", "webhook", "timer"],
  ["return", "timer", "webhook"],
  ["webhook", "return", "timer"],
  ["webhook", "timer", "return"],
  ["timer", "return", "webhook"],
  ["timer", "webhook", "return"],
];

test.each(SEQUENCES)(
  "a payment is resolved once when its signals arrive in the order %s, %s, %s",
  async (...sequence) => {
    const { fixture, session, payment } = await shopperOnHostedPage();
    fixture.blockWebhooks();
    await fixture.pay(payment);
    expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
    for (const signal of sequence) {
      await SIGNALS[signal](fixture, session);
      await fixture.settle();
      expectPaidOnce(fixture, session);
    }
    expect((await fixture.payment(session)).state).toBe("recorded");
  },
);

test("a payment is resolved once when all its signals arrive at the same time", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  await fixture.pay(payment);
  const signals = Array.from({ length: 5 }, () => [
    SIGNALS.return(fixture, session),
    SIGNALS.webhook(fixture, session),
  ]);
  await Promise.all(signals.flat());
  await fixture.settle();
  expectPaidOnce(fixture, session);
});

test("a payment is found by the timer when the shopper does not return and no webhook arrives", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  fixture.blockWebhooks();
  await fixture.pay(payment);
  await fixture.advanceTime(10 * MINUTE);
  expectPaidOnce(fixture, session);
});

test("a shopper who returns after paying is redirected to the URL that Shopify answered", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  await fixture.pay(payment);
  const { status, location } = await fixture.open(returnUrl(payment));
  expect([status, location]).toEqual([303, `${fixture.shop.origin}/checkouts/${session.id}/thank_you`]);
});

test("a paid session that is opened again leads to the URL that Shopify answered and never to another payment", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  await fixture.pay(payment);
  await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
  const { location } = await fixture.open(session.redirectUrl ?? "");
  expect(location).toBe(`${fixture.shop.origin}/checkouts/${session.id}/thank_you`);
  expect(await fixture.ledger.paymentsOfOrder({ storeId: fixture.shop.domain, orderId: session.group })).toHaveLength(
    1,
  );
});

test("a return without a payment or with a forged link resolves nothing", async () => {
  const { fixture, payment } = await shopperOnHostedPage();
  const url = returnUrl(payment);
  await fixture.open(url);
  const other = await fixture.shop.startPayment({ total: TOTAL });
  await fixture.pay(await fixture.visit(other.session));
  expect((await fixture.open(url.replace(/return\/.{12}/, "return/AAAAAAAAAAAA"))).status).toBeGreaterThanOrEqual(400);
  await fixture.advanceTime(3 * MINUTE);
  expect(fixture.shop.record.effectsOf("resolved").map(({ id }) => id)).toEqual([other.session.gid]);
});

test("one of two paid tabs of a checkout is resolved, and the other payment is refunded", async () => {
  const { fixture, session, payment: first } = await shopperOnHostedPage();
  const tab = await fixture.shop.openTab(session.group);
  const second = await fixture.visit(tab.session);
  await fixture.pay(first);
  await fixture.pay(second);
  await fixture.advanceTime(30 * MINUTE);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
  const states = [
    (await fixture.ledger.find({ id: first.id }))?.state,
    (await fixture.ledger.find({ id: second.id }))?.state,
  ];
  expect(states.sort()).toEqual(["recorded", "refunded"]);
});

test("one of two tabs that are paid at the same moment is resolved", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  const tab = await fixture.shop.openTab(session.group);
  const payments = [payment, await fixture.visit(tab.session)];
  await Promise.all(payments.map((payment) => fixture.pay(payment)));
  await Promise.all(
    payments.flatMap((payment) => [fixture.open(returnUrl(payment)), fixture.open(returnUrl(payment))]),
  );
  await fixture.advanceTime(30 * MINUTE);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
  const states = await Promise.all(payments.map(async ({ id }) => (await fixture.ledger.find({ id }))?.state));
  expect(states.sort()).toEqual(["recorded", "refunded"]);
});

test("a shopper who cancels returns to the checkout, nothing is sent to Shopify, and the link still works", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  const { location } = await fixture.open(cancelUrl(payment));
  expect(location).toBe(`${fixture.shop.origin}/checkouts/${session.id}`);
  await fixture.settle();
  expect(fixture.shop.record.calls.filter(({ field }) => field.startsWith("paymentSession"))).toEqual([]);
  await fixture.pay(await fixture.visit(session));
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length > 0);
  expectPaidOnce(fixture, session);
});

test("a shopper who cancels after paying is redirected to the URL that Shopify answered", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  await fixture.pay(payment);
  expect(await fixture.follow(cancelUrl(payment))).toBe(`${fixture.shop.origin}/checkouts/${session.id}/thank_you`);
});

test("a declined card sends nothing to Shopify, and the shopper can try again", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  await fixture.pay(payment, "failed");
  await fixture.settle();
  expect(fixture.shop.record.effectsOf("rejected")).toEqual([]);
  expect(fixture.shop.record.effectsOf("pending")).toEqual([]);
  await fixture.pay(await fixture.visit(session));
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length > 0);
  expectPaidOnce(fixture, session);
});

test("an unpaid checkout never becomes a pending order and is rejected once when no money can arrive any more", async () => {
  const { fixture, session } = await shopperOnHostedPage();
  await fixture.advanceTime(72 * HOUR, { longestStepMs: 6 * HOUR });
  expect(fixture.shop.record.effectsOf("rejected")).toEqual([]);
  await fixture.advanceTime(6 * HOUR, { longestStepMs: HOUR });
  expect(fixture.shop.record.effectsOf("rejected")).toMatchObject([{ id: session.gid }]);
  expect(session.rejection).toMatchObject({
    code: "PROCESSING_ERROR",
    merchantMessage: "Aucun paiement n’a été reçu dans le délai prévu.",
  });
  await fixture.advanceTime(24 * HOUR, { longestStepMs: 6 * HOUR });
  expect(fixture.shop.record.callsOf("paymentSessionReject")).toHaveLength(1);
  expect(fixture.shop.record.effectsOf("pending")).toEqual([]);
});

test("a shopper whose mobile money operator is slow has a pending order and then a paid one", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  const transaction = await payPending(fixture, payment);
  expect(fixture.shop.record.effectsOf("pending")).toHaveLength(1);
  await fixture.sandbox.control.completeTransaction(transaction);
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length === 1);
  expectPaidOnce(fixture, session);
});

test("a payment that arrives after its pending session expired is refunded", async () => {
  const { fixture, payment } = await shopperOnHostedPage();
  const transaction = await payPending(fixture, payment);
  await fixture.advanceTime(73 * HOUR, { longestStepMs: 6 * HOUR });
  await fixture.sandbox.control.completeTransaction(transaction);
  await fixture.advanceTime(2 * HOUR, { longestStepMs: 10 * MINUTE });
  expect(fixture.shop.record.effectsOf("pending")).toHaveLength(1);
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("refunded");
});

test("a payment of a checkout whose cart was changed and paid is refunded", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  const changed = await fixture.shop.changeCart(session.group, { minor: 9_000, currency: "XOF" });
  await fixture.pay(await fixture.visit(changed.session));
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length === 1);
  await fixture.pay(payment);
  await fixture.advanceTime(2 * HOUR);
  expect(fixture.shop.record.effectsOf("resolved")).toMatchObject([{ id: changed.session.gid }]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("refunded");
});

test("a payment with a changed amount pays nothing", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  await fixture.sandbox.control.addFault({
    method: "GET",
    path: `/checkout-sessions/${payment.session?.id}`,
    patch: { amount: 1 },
    times: 1_000,
  });
  await fixture.pay(payment);
  await fixture.advanceTime(3 * MINUTE);
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  expect((await fixture.payment(session)).state).toBe("review");
});

test("a payment of a session that a restored backup lacks is refunded, because Shopify offers no read", async () => {
  const { fixture, session, payment } = await shopperOnHostedPage();
  const { records } = fixture.ledger;
  const row = await records.get(fixture.shop.domain, "shopify-payment", session.gid);
  await records.remove(fixture.shop.domain, "shopify-payment", session.gid, row?.version ?? 0);
  await fixture.pay(payment);
  await fixture.advanceTime(30 * MINUTE);
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("refunded");
});
