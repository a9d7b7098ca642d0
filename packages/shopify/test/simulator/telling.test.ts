import type { PaymentSession } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, SECOND, TOTAL, type World } from "./world.ts";

const RESOLVE = "paymentSessionResolve";

/** The waits that Shopify's documentation asks for, about a day in all. */
const SCHEDULE_MS = [
  ...[5, 10, 30, 45].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 12, 38].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 4, 4, 4, 4].map((hours) => hours * HOUR),
];

async function paid(world: World): Promise<PaymentSession> {
  const { session } = await world.shop.startPayment({ total: TOTAL });
  await world.pay(await world.visit(session));
  return session;
}

function calls(world: World): readonly string[] {
  return world.shop.record.callsOf(RESOLVE).map(({ outcome }) => outcome);
}

async function isRecorded(world: World, session: PaymentSession): Promise<boolean> {
  return (await world.payment(session)).state === "recorded";
}

test("while Shopify answers 503 the resolve is repeated on the whole schedule, within 5 %", async () => {
  const world = await openWorld();
  world.simulator.faults.add({ on: RESOLVE, status: 503, times: 1_000 });
  await paid(world);
  await world.until(() => calls(world).length > 0);
  await world.pass(26 * HOUR, HOUR);
  const times = world.shop.record.callsOf(RESOLVE).map(({ at }) => at);
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(waits).toHaveLength(SCHEDULE_MS.length);
  for (const [index, wait] of waits.entries()) {
    const wanted = SCHEDULE_MS[index] ?? 0;
    expect(Math.abs(wait - wanted) / wanted, `wait ${index + 1}: ${wait} ms instead of ${wanted}`).toBeLessThan(0.05);
  }
}, 60_000);

test.each([
  ["a reset after Shopify did it", { reset: true as const, when: "after" as const }],
  ["a 500 after Shopify did it", { status: 500 as const, when: "after" as const }],
  ["a page that is no JSON after Shopify did it", { html: true as const, when: "after" as const }],
  ["a reset before", { reset: true as const }],
  ["a page that is no JSON", { html: true as const }],
  ["an internal error in an answer of 200", { error: "INTERNAL_SERVER_ERROR" as const }],
  ["a 429", { status: 429 as const, retryAfterSeconds: 1 }],
  ["a 402, the shop is frozen", { status: 402 as const }],
  ["a 423, the shop is locked", { status: 423 as const }],
])(
  "%s: told again, resolved once",
  async (_what, fault) => {
    const world = await openWorld();
    world.simulator.faults.add({ on: RESOLVE, ...fault });
    const session = await paid(world);
    await world.until(() => calls(world).length > 0);
    await world.pass(2 * MINUTE);
    expect(await isRecorded(world, session)).toBe(true);
    expect(world.shop.record.of("resolved")).toHaveLength(1);
    const { continueUrl } = await world.payment(session);
    expect(continueUrl).toBe(`${world.shop.origin}/checkouts/${session.id}/thank_you`);
  },
  60_000,
);

test("an answer that never comes is given up, and Shopify is told again", async () => {
  const world = await openWorld();
  world.simulator.faults.add({ on: RESOLVE, hang: true });
  const session = await paid(world);
  await world.until(() => world.clock.nextWakeAt() !== null);
  await world.pass(2 * MINUTE);
  expect(await isRecorded(world, session)).toBe(true);
}, 60_000);

test("a request that lands long after it was given up changes nothing any more", async () => {
  const world = await openWorld();
  world.simulator.faults.add({ on: RESOLVE, delayMs: 5 * MINUTE });
  const session = await paid(world);
  await world.until(() => world.clock.nextWakeAt() !== null);
  await world.pass(10 * MINUTE);
  expect(await isRecorded(world, session)).toBe(true);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
}, 60_000);

test("throttled: it waits as long as the bucket needs, then resolves", async () => {
  const world = await openWorld();
  world.simulator.faults.add({ on: RESOLVE, error: "THROTTLED", times: 2 });
  const session = await paid(world);
  await world.until(() => calls(world).length > 0);
  await world.pass(MINUTE);
  expect(calls(world)).toEqual(["THROTTLED", "THROTTLED", "done"]);
  expect(await isRecorded(world, session)).toBe(true);
}, 60_000);

test("refused because Shopify never read our answer to its post: told again until it did, and resolved", async () => {
  const world = await openWorld();
  const session = world.shop.propose({ total: TOTAL });
  const { text } = await world.shop.postPayment(session, { loseAnswer: true });
  await world.open(JSON.parse(text).redirect_url);
  await world.pay(await world.payment(session));
  await world.until(() => calls(world).includes("userErrors"));
  await world.pass(MINUTE);
  expect(world.shop.record.of("resolved")).toEqual([]);
  // Shopify repeats its post, and reads the answer this time.
  await world.shop.postPayment(session);
  await world.pass(3 * MINUTE);
  expect(await isRecorded(world, session)).toBe(true);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
}, 60_000);

test("refused for good: parked with an alarm after a while, the money stays known", async () => {
  const world = await openWorld();
  const session = world.shop.propose({ total: TOTAL });
  const { text } = await world.shop.postPayment(session, { loseAnswer: true });
  await world.open(JSON.parse(text).redirect_url);
  await world.pay(await world.payment(session));
  await world.until(() => calls(world).length > 0);
  await world.pass(26 * HOUR, HOUR);
  expect(world.shop.record.of("resolved")).toEqual([]);
  expect((await world.payment(session)).state).toBe("verified");
  const tries = calls(world).length;
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThan(20);
  const alarms = world.log
    .filter(({ level }) => level === "error")
    .map(({ message, fields }) => ({ message, ...fields }));
  const reason = expect.stringContaining("Shopify keeps refusing a payment that is paid");
  expect(alarms[0]).toMatchObject({ message: "job.dead_letter", job: "confirm", reason });
}, 60_000);

test("an access token that ended is renewed, and the resolve goes on", async () => {
  const world = await openWorld();
  world.shop.tokens.expireAccess();
  const session = await paid(world);
  await world.until(() => isRecorded(world, session));
  expect(world.shop.tokens.refreshes).toBe(1);
});

test("ten payments whose token ended renew it once", async () => {
  const world = await openWorld();
  await world.openSecondApp();
  const sessions = await Promise.all(Array.from({ length: 10 }, () => world.shop.startPayment({ total: TOTAL })));
  const payments = await Promise.all(sessions.map(({ session }) => world.visit(session)));
  world.shop.tokens.expireAccess();
  for (const payment of payments) await world.pay(payment);
  await world.until(() => world.shop.record.of("resolved").length === 10);
  expect(world.shop.tokens.refreshes).toBe(1);
}, 60_000);

test("a renewal whose answer was lost is asked for again", async () => {
  const world = await openWorld();
  world.shop.tokens.expireAccess();
  world.simulator.faults.add({ on: "access_token", reset: true, when: "after" });
  const session = await paid(world);
  await world.until(() => world.shop.tokens.refreshes > 0);
  await world.pass(2 * MINUTE);
  expect(await isRecorded(world, session)).toBe(true);
}, 60_000);

test("a shop that took our access away parks the payment; installed again it is resolved by itself", async () => {
  const world = await openWorld();
  world.shop.tokens.revokeAll();
  const session = await paid(world);
  await world.until(() => world.log.some(({ message }) => message === "shopify.reconnect"));
  await world.pass(MINUTE);
  expect((await world.payment(session)).state).toBe("verified");
  await world.shop.install();
  await world.pass(MINUTE);
  expect(await isRecorded(world, session)).toBe(true);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
}, 60_000);

test("two processes on one database tell Shopify once", async () => {
  const world = await openWorld();
  await world.openSecondApp();
  const sessions = await Promise.all(Array.from({ length: 20 }, () => world.shop.startPayment({ total: TOTAL })));
  const payments = await Promise.all(sessions.map(({ session }) => world.visit(session)));
  await Promise.all(payments.map((payment) => world.pay(payment)));
  await world.until(() => world.shop.record.of("resolved").length === 20);
  await world.pass(3 * MINUTE);
  expect(calls(world)).toHaveLength(20);
}, 60_000);

test("twenty payments that waited out half an hour's outage are all resolved after it, without a storm", async () => {
  const world = await openWorld();
  const PAYMENTS = 20;
  world.simulator.faults.add({ on: RESOLVE, status: 503, times: 1_000_000 });
  const sessions: PaymentSession[] = [];
  for (let shopper = 0; shopper < PAYMENTS; shopper += 1) sessions.push(await paid(world));
  await world.pass(30 * MINUTE, MINUTE, 30 * SECOND);
  const during = calls(world).length;
  expect(world.shop.record.of("resolved")).toEqual([]);
  // Whoever does not answer is left alone, not asked by each payment for itself: that would be eleven times each.
  expect(during).toBeLessThan(5 * PAYMENTS);
  world.simulator.faults.clear();
  await world.pass(HOUR, 2 * MINUTE, 30 * SECOND);
  expect(world.shop.record.of("resolved")).toHaveLength(PAYMENTS);
  expect(calls(world).length - during).toBe(PAYMENTS);
  expect(new Set(await Promise.all(sessions.map(async (session) => (await world.payment(session)).state)))).toEqual(
    new Set(["recorded"]),
  );
}, 120_000);
