import type { Payment } from "@tillkit/core";
import type { PaymentSession } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, TOTAL, type World } from "./world.ts";

/** A shopper in a checkout of 12 500 F who picked our way of paying, and was led to the hosted page. */
async function shopperOnHostedPage() {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  return { world, session, payment: await world.visit(session) };
}

/** They pressed Pay, and their operator takes its time; answers the service's transaction. */
async function pressPay(world: World, { session }: Payment): Promise<string> {
  const wanted = { method: "wave", outcome: "pending" } as const;
  const transaction = await world.sandbox.control.paySession(session?.id ?? "", wanted);
  await world.until(async () =>
    (await world.sandbox.control.listDeliveries()).some(({ attempts }) => attempts.length > 0),
  );
  await world.pass(2 * MINUTE);
  return String(transaction.transaction_id);
}

function returnUrl({ request }: { readonly request: string }): string {
  return JSON.parse(request).success_url;
}

function cancelUrl({ request }: { readonly request: string }): string {
  return JSON.parse(request).cancel_url;
}

function isPaidOnce(world: World, session: PaymentSession): void {
  expect(world.shop.record.of("resolved")).toMatchObject([{ id: session.gid, of: session.group }]);
  expect(world.shop.sessions.checkouts.get(session.group)?.status).toBe("paid");
}

/** What can tell us that money arrived. */
const SIGNALS = {
  return: async (world: World, session: PaymentSession) => {
    await world.open(returnUrl(await world.payment(session)));
  },
  webhook: async (world: World, session: PaymentSession) => {
    const { session: ours } = await world.payment(session);
    const events = await world.sandbox.control.listEvents({ sessionId: ours?.id ?? "" });
    world.setWebhooks(true);
    for (const { id } of events) await world.sandbox.control.deliverEvent(id);
    await world.until(async () => (await world.payment(session)).state === "recorded");
  },
  timer: async (world: World) => {
    await world.pass(3 * MINUTE);
  },
} as const;

type Signal = keyof typeof SIGNALS;

const ORDERS: readonly (readonly Signal[])[] = [
  ["return", "webhook", "timer"],
  ["return", "timer", "webhook"],
  ["webhook", "return", "timer"],
  ["webhook", "timer", "return"],
  ["timer", "return", "webhook"],
  ["timer", "webhook", "return"],
];

test.each(ORDERS)(
  "paid, then %s, %s, %s: Shopify is told once",
  async (...order) => {
    const { world, session, payment } = await shopperOnHostedPage();
    world.setWebhooks(false);
    await world.pay(payment);
    expect(world.shop.record.of("resolved")).toEqual([]);
    for (const signal of order) {
      await SIGNALS[signal](world, session);
      await world.settle();
      isPaidOnce(world, session);
    }
    expect((await world.payment(session)).state).toBe("recorded");
  },
  60_000,
);

test("all signals at once: Shopify is told once", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  await world.pay(payment);
  const signals = Array.from({ length: 5 }, () => [SIGNALS.return(world, session), SIGNALS.webhook(world, session)]);
  await Promise.all(signals.flat());
  await world.settle();
  isPaidOnce(world, session);
}, 60_000);

test("nobody comes back and no webhook arrives: the timer finds the payment", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  world.setWebhooks(false);
  await world.pay(payment);
  await world.pass(10 * MINUTE);
  isPaidOnce(world, session);
}, 60_000);

test("the shopper comes back paid, and is led to where Shopify said", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  await world.pay(payment);
  const { status, location } = await world.open(returnUrl(payment));
  expect([status, location]).toEqual([303, `${world.shop.origin}/checkouts/${session.id}/thank_you`]);
});

test("back to our page after it was paid: on to where Shopify said, never to another payment", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  await world.pay(payment);
  await world.until(async () => (await world.payment(session)).state === "recorded");
  const { location } = await world.open(session.redirectUrl ?? "");
  expect(location).toBe(`${world.shop.origin}/checkouts/${session.id}/thank_you`);
  expect(await world.ledger.siblings({ storeId: world.shop.domain, orderId: session.group })).toHaveLength(1);
});

test("a return without money, or with a forged link, resolves nothing", async () => {
  const { world, payment } = await shopperOnHostedPage();
  const url = returnUrl(payment);
  await world.open(url);
  const other = await world.shop.startPayment({ total: TOTAL });
  await world.pay(await world.visit(other.session));
  expect((await world.open(url.replace(/return\/.{12}/, "return/AAAAAAAAAAAA"))).status).toBeGreaterThanOrEqual(400);
  await world.pass(3 * MINUTE);
  expect(world.shop.record.of("resolved").map(({ id }) => id)).toEqual([other.session.gid]);
}, 60_000);

test("two tabs of one checkout, both paid: one is resolved, the money of the other goes back", async () => {
  const { world, session, payment: first } = await shopperOnHostedPage();
  const tab = await world.shop.openTab(session.group);
  const second = await world.visit(tab.session);
  await world.pay(first);
  await world.pay(second);
  await world.pass(30 * MINUTE);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
  const states = [
    (await world.ledger.find({ id: first.id }))?.state,
    (await world.ledger.find({ id: second.id }))?.state,
  ];
  expect(states.sort()).toEqual(["recorded", "refunded"]);
}, 60_000);

test("two tabs paid at the same moment, told by everything at once: one resolve", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  const tab = await world.shop.openTab(session.group);
  const payments = [payment, await world.visit(tab.session)];
  await Promise.all(payments.map((payment) => world.pay(payment)));
  await Promise.all(payments.flatMap((payment) => [world.open(returnUrl(payment)), world.open(returnUrl(payment))]));
  await world.pass(30 * MINUTE);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
  const states = await Promise.all(payments.map(async ({ id }) => (await world.ledger.find({ id }))?.state));
  expect(states.sort()).toEqual(["recorded", "refunded"]);
}, 60_000);

test("who cancels is led back to the checkout; Shopify is told nothing, and the address still works", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  const { location } = await world.open(cancelUrl(payment));
  expect(location).toBe(`${world.shop.origin}/checkouts/${session.id}`);
  await world.settle();
  expect(world.shop.record.calls.filter(({ field }) => field.startsWith("paymentSession"))).toEqual([]);
  await world.pay(await world.visit(session));
  await world.until(() => world.shop.record.of("resolved").length > 0);
  isPaidOnce(world, session);
});

test("who cancels after paying is led to where Shopify said", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  await world.pay(payment);
  expect(await world.follow(cancelUrl(payment))).toBe(`${world.shop.origin}/checkouts/${session.id}/thank_you`);
});

test("a declined card tells Shopify nothing, and the shopper may try again", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  await world.pay(payment, "failed");
  await world.settle();
  expect(world.shop.record.of("rejected")).toEqual([]);
  expect(world.shop.record.of("pending")).toEqual([]);
  await world.pay(await world.visit(session));
  await world.until(() => world.shop.record.of("resolved").length > 0);
  isPaidOnce(world, session);
});

test("a checkout that nobody paid never becomes a pending order, and is rejected once, when no money can come any more", async () => {
  const { world, session } = await shopperOnHostedPage();
  await world.pass(72 * HOUR, 6 * HOUR);
  expect(world.shop.record.of("rejected")).toEqual([]);
  await world.pass(6 * HOUR, HOUR);
  expect(world.shop.record.of("rejected")).toMatchObject([{ id: session.gid }]);
  expect(session.rejection).toMatchObject({
    code: "PROCESSING_ERROR",
    merchantMessage: "Aucun paiement n’est arrivé dans le délai.",
  });
  await world.pass(24 * HOUR, 6 * HOUR);
  expect(world.shop.record.callsOf("paymentSessionReject")).toHaveLength(1);
  expect(world.shop.record.of("pending")).toEqual([]);
}, 60_000);

test("a shopper who pressed Pay, and whose operator takes its time, has a pending order, then a paid one", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  const transaction = await pressPay(world, payment);
  expect(world.shop.record.of("pending")).toHaveLength(1);
  await world.sandbox.control.completeTransaction(transaction);
  await world.until(() => world.shop.record.of("resolved").length === 1);
  isPaidOnce(world, session);
});

test("money that comes after a pending payment's time is over goes back", async () => {
  const { world, payment } = await shopperOnHostedPage();
  const transaction = await pressPay(world, payment);
  await world.pass(73 * HOUR, 6 * HOUR);
  await world.sandbox.control.completeTransaction(transaction);
  await world.pass(2 * HOUR, 10 * MINUTE);
  expect(world.shop.record.of("pending")).toHaveLength(1);
  expect(world.shop.record.of("resolved")).toEqual([]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);

test("money that comes for a checkout whose cart was changed and paid goes back", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  const changed = await world.shop.changeCart(session.group, { minor: 9_000, currency: "XOF" });
  await world.pay(await world.visit(changed.session));
  await world.until(() => world.shop.record.of("resolved").length === 1);
  await world.pay(payment);
  await world.pass(2 * HOUR);
  expect(world.shop.record.of("resolved")).toMatchObject([{ id: changed.session.gid }]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);

test("an amount that the service changed on the way pays nothing", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  await world.sandbox.control.addFault({
    method: "GET",
    path: `/checkout-sessions/${payment.session?.id}`,
    patch: { amount: 1 },
    times: 1_000,
  });
  await world.pay(payment);
  await world.pass(3 * MINUTE);
  expect(world.shop.record.of("resolved")).toEqual([]);
  expect((await world.payment(session)).state).toBe("review");
}, 60_000);

test("money for a session that a restored backup does not know goes back: nobody can read it from Shopify", async () => {
  const { world, session, payment } = await shopperOnHostedPage();
  const { records } = world.ledger;
  const row = await records.get(world.shop.domain, "shopify-payment", session.gid);
  await records.remove(world.shop.domain, "shopify-payment", session.gid, row?.version ?? 0);
  await world.pay(payment);
  await world.pass(30 * MINUTE);
  expect(world.shop.record.of("resolved")).toEqual([]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);
