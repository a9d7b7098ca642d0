import type { PaymentSession } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, TOTAL, type World } from "./world.ts";

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
    const world = await openWorld();
    const { session } = await world.shop.startPayment({ total: TOTAL });
    const payment = await world.visit(session);
    await world.sandbox.control.changeSettings({ webhooks: { drop: 1 } } as never).catch(() => undefined);
    await world.pay(payment);
    for (const signal of order) await SIGNALS[signal](world, session);
    await world.settle();
    isPaidOnce(world, session);
    expect((await world.payment(session)).state).toBe("recorded");
  },
  60_000,
);

test("all signals at once: Shopify is told once", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  await world.pay(await world.visit(session));
  const signals = Array.from({ length: 5 }, () => [SIGNALS.return(world, session), SIGNALS.webhook(world, session)]);
  await Promise.all(signals.flat());
  await world.settle();
  isPaidOnce(world, session);
}, 60_000);

test("nobody comes back and no webhook arrives: the timer finds the payment", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  world.setWebhooks(false);
  await world.pay(payment);
  await world.pass(10 * MINUTE);
  isPaidOnce(world, session);
}, 60_000);

test("the shopper comes back paid, and is led to where Shopify said", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  await world.pay(payment);
  const { status, location } = await world.open(returnUrl(payment));
  expect([status, location]).toEqual([303, `${world.shop.origin}/checkouts/${session.id}/thank_you`]);
});

test("back to our page after it was paid: on to where Shopify said, never to another payment", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  await world.pay(await world.visit(session));
  await world.until(async () => (await world.payment(session)).state === "recorded");
  const { location } = await world.open(session.redirectUrl ?? "");
  expect(location).toBe(`${world.shop.origin}/checkouts/${session.id}/thank_you`);
  expect(await world.ledger.siblings({ storeId: world.shop.domain, orderId: session.group })).toHaveLength(1);
});

test("a return without money, or with a forged link, resolves nothing", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  const url = returnUrl(payment);
  await world.open(url);
  const other = await world.shop.startPayment({ total: TOTAL });
  await world.pay(await world.visit(other.session));
  expect((await world.open(url.replace(/return\/.{12}/, "return/AAAAAAAAAAAA"))).status).toBeGreaterThanOrEqual(400);
  await world.pass(3 * MINUTE);
  expect(world.shop.record.of("resolved").map(({ id }) => id)).toEqual([other.session.gid]);
}, 60_000);

test("two tabs of one checkout, both paid: one is resolved, the money of the other goes back", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const first = await world.visit(session);
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
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const tab = await world.shop.openTab(session.group);
  const payments = [await world.visit(session), await world.visit(tab.session)];
  await Promise.all(payments.map((payment) => world.pay(payment)));
  await Promise.all(payments.flatMap((payment) => [world.open(returnUrl(payment)), world.open(returnUrl(payment))]));
  await world.pass(30 * MINUTE);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
  const states = await Promise.all(payments.map(async ({ id }) => (await world.ledger.find({ id }))?.state));
  expect(states.sort()).toEqual(["recorded", "refunded"]);
}, 60_000);

test("who cancels is led back to the checkout; Shopify is told nothing, and the address still works", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  const { location } = await world.open(cancelUrl(payment));
  expect(location).toBe(`${world.shop.origin}/checkouts/${session.id}`);
  await world.settle();
  expect(world.shop.record.calls.filter(({ field }) => field.startsWith("paymentSession"))).toEqual([]);
  await world.pay(await world.visit(session));
  await world.until(() => world.shop.record.of("resolved").length > 0);
  isPaidOnce(world, session);
});

test("who cancels after paying is led to where Shopify said", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  await world.pay(payment);
  expect(await world.follow(cancelUrl(payment))).toBe(`${world.shop.origin}/checkouts/${session.id}/thank_you`);
});

test("a declined card tells Shopify nothing, and the shopper may try again", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  await world.pay(payment, "failed");
  await world.settle();
  expect(world.shop.record.of("rejected")).toEqual([]);
  expect(world.shop.record.of("pending")).toEqual([]);
  await world.pay(await world.visit(session));
  await world.until(() => world.shop.record.of("resolved").length > 0);
  isPaidOnce(world, session);
});

test("a checkout that nobody paid never becomes a pending order", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  await world.visit(session);
  await world.pass(5 * HOUR);
  expect(world.shop.record.of("pending")).toEqual([]);
  expect(world.shop.sessions.checkouts.get(session.group)?.status).not.toBe("pending");
}, 120_000);

test("a shopper who pressed Pay, and whose operator takes its time, has a pending order, then a paid one", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  const transaction = await world.sandbox.control.paySession(payment.session?.id ?? "", {
    method: "wave",
    outcome: "pending",
  });
  const arrived = async () =>
    (await world.sandbox.control.listDeliveries()).some(({ attempts }) => attempts.length > 0);
  await world.until(arrived);
  await world.pass(2 * MINUTE);
  expect(world.shop.record.of("pending")).toHaveLength(1);
  await world.sandbox.control.completeTransaction(String(transaction.transaction_id));
  await world.until(() => world.shop.record.of("resolved").length === 1);
  isPaidOnce(world, session);
});

test("money that comes after a pending payment's time is over goes back", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  const transaction = await world.sandbox.control.paySession(payment.session?.id ?? "", {
    method: "wave",
    outcome: "pending",
  });
  const arrived = async () =>
    (await world.sandbox.control.listDeliveries()).some(({ attempts }) => attempts.length > 0);
  await world.until(arrived);
  await world.pass(2 * MINUTE);
  await world.pass(73 * HOUR, 6 * HOUR);
  await world.sandbox.control.completeTransaction(String(transaction.transaction_id));
  await world.pass(2 * HOUR, 10 * MINUTE);
  expect(world.shop.record.of("pending")).toHaveLength(1);
  expect(world.shop.record.of("resolved")).toEqual([]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);

test("money that comes for a checkout whose cart was changed and paid goes back", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  const changed = await world.shop.changeCart(session.group, { minor: 9_000, currency: "XOF" });
  await world.pay(await world.visit(changed.session));
  await world.until(() => world.shop.record.of("resolved").length === 1);
  await world.pay(payment);
  await world.pass(2 * HOUR);
  expect(world.shop.record.of("resolved")).toMatchObject([{ id: changed.session.gid }]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);

test("an amount that the service changed on the way pays nothing", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
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
