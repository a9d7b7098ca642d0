import type { PaymentSession } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, HOUR, MINUTE, openFixture, SECOND, TOTAL } from "./fixture.ts";

/** The mutation that tells Shopify that a payment session was paid. The tests call it a resolve. */
const RESOLVE = "paymentSessionResolve";

/** The waits between repeated resolves that Shopify's documentation recommends, about a day in all. */
const SCHEDULE_MS = [
  ...[5, 10, 30, 45].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 12, 38].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 4, 4, 4, 4].map((hours) => hours * HOUR),
];

/** Pays a new payment session on the hosted page. */
async function payNewSession(fixture: Fixture): Promise<PaymentSession> {
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  await fixture.pay(await fixture.visit(session));
  return session;
}

function outcomesOfCalls(fixture: Fixture): readonly string[] {
  return fixture.shop.record.callsOf(RESOLVE).map(({ outcome }) => outcome);
}

async function isRecorded(fixture: Fixture, session: PaymentSession): Promise<boolean> {
  return (await fixture.payment(session)).state === "recorded";
}

test("a resolve is repeated on the whole schedule, within 5 %, while Shopify answers 503", async () => {
  const fixture = await openFixture();
  fixture.simulator.faults.add({ on: RESOLVE, status: 503, times: 1_000 });
  await payNewSession(fixture);
  await fixture.until(() => outcomesOfCalls(fixture).length > 0);
  await fixture.advanceTime(26 * HOUR, { longestStepMs: HOUR });
  const times = fixture.shop.record.callsOf(RESOLVE).map(({ at }) => at);
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(waits).toHaveLength(SCHEDULE_MS.length);
  for (const [index, wait] of waits.entries()) {
    const expected = SCHEDULE_MS[index] ?? 0;
    const message = `wait ${index + 1}: ${wait} ms instead of ${expected}`;
    expect(Math.abs(wait - expected) / expected, message).toBeLessThan(0.05);
  }
});

test.each([
  ["a reset after its effect", { reset: true as const, when: "after" as const }],
  ["a 500 after its effect", { status: 500 as const, when: "after" as const }],
  ["an HTML page after its effect", { html: true as const, when: "after" as const }],
  ["a reset before its effect", { reset: true as const }],
  ["an HTML page", { html: true as const }],
  ["an internal error in an answer of 200", { error: "INTERNAL_SERVER_ERROR" as const }],
  ["a 429", { status: 429 as const, retryAfterSeconds: 1 }],
  ["a 402 of a frozen shop", { status: 402 as const }],
  ["a 423 of a locked shop", { status: 423 as const }],
])("a resolve that met %s is repeated and takes effect once", async (_fault, fault) => {
  const fixture = await openFixture();
  fixture.simulator.faults.add({ on: RESOLVE, ...fault });
  const session = await payNewSession(fixture);
  await fixture.until(() => outcomesOfCalls(fixture).length > 0);
  await fixture.advanceTime(2 * MINUTE);
  expect(await isRecorded(fixture, session)).toBe(true);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
  const { ref, attempt } = await fixture.payment(session);
  const adapter = await fixture.app.checkout.engine.store(fixture.shop.domain);
  const next = `${fixture.shop.origin}/checkouts/${session.id}/thank_you`;
  expect(await adapter.shopperUrl(ref, attempt, "paid")).toBe(next);
});

test("a resolve without an answer times out and is repeated", async () => {
  const fixture = await openFixture();
  fixture.simulator.faults.add({ on: RESOLVE, hang: true });
  const session = await payNewSession(fixture);
  await fixture.until(() => fixture.clock.nextWakeAt() !== null);
  await fixture.advanceTime(2 * MINUTE);
  expect(await isRecorded(fixture, session)).toBe(true);
});

test("a resolve that arrives long after its timeout changes nothing", async () => {
  const fixture = await openFixture();
  fixture.simulator.faults.add({ on: RESOLVE, delayMs: 5 * MINUTE });
  const session = await payNewSession(fixture);
  await fixture.until(() => fixture.clock.nextWakeAt() !== null);
  await fixture.advanceTime(10 * MINUTE);
  expect(await isRecorded(fixture, session)).toBe(true);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
});

test("a throttled resolve waits until the bucket has enough points", async () => {
  const fixture = await openFixture();
  fixture.simulator.faults.add({ on: RESOLVE, error: "THROTTLED", times: 2 });
  const session = await payNewSession(fixture);
  await fixture.until(() => outcomesOfCalls(fixture).length > 0);
  await fixture.advanceTime(MINUTE);
  expect(outcomesOfCalls(fixture)).toEqual(["THROTTLED", "THROTTLED", "done"]);
  expect(await isRecorded(fixture, session)).toBe(true);
});

test("a resolve that is refused because Shopify never received our answer is repeated until it succeeds", async () => {
  const fixture = await openFixture();
  const session = fixture.shop.openCheckout({ total: TOTAL });
  const { text } = await fixture.shop.postPayment(session, { loseAnswer: true });
  await fixture.open(JSON.parse(text).redirect_url);
  await fixture.pay(await fixture.payment(session));
  await fixture.until(() => outcomesOfCalls(fixture).includes("userErrors"));
  await fixture.advanceTime(MINUTE);
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  // Shopify repeats its post and receives the answer.
  await fixture.shop.postPayment(session);
  await fixture.advanceTime(3 * MINUTE);
  expect(await isRecorded(fixture, session)).toBe(true);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
});

test("a resolve that stays refused becomes a dead-letter job with an error in the log, and the payment stays verified", async () => {
  const fixture = await openFixture();
  const session = fixture.shop.openCheckout({ total: TOTAL });
  const { text } = await fixture.shop.postPayment(session, { loseAnswer: true });
  await fixture.open(JSON.parse(text).redirect_url);
  await fixture.pay(await fixture.payment(session));
  await fixture.until(() => outcomesOfCalls(fixture).length > 0);
  await fixture.advanceTime(26 * HOUR, { longestStepMs: HOUR });
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  expect((await fixture.payment(session)).state).toBe("verified");
  const calls = outcomesOfCalls(fixture).length;
  expect(calls).toBeGreaterThan(5);
  expect(calls).toBeLessThan(20);
  const errors = fixture.log
    .filter(({ level }) => level === "error")
    .map(({ message, fields }) => ({ message, ...fields }));
  const reason = expect.stringContaining("Shopify refuses a payment that was received");
  expect(errors[0]).toMatchObject({ message: "job.dead_letter", job: "confirm", reason });
});

test("an expired access token is renewed, and the resolve continues", async () => {
  const fixture = await openFixture();
  fixture.shop.tokens.expireAccess();
  const session = await payNewSession(fixture);
  await fixture.until(() => isRecorded(fixture, session));
  expect(fixture.shop.tokens.refreshes).toBe(1);
});

test("ten payments with an expired access token renew it once", async () => {
  const fixture = await openFixture();
  await fixture.openSecondApp();
  const sessions = await Promise.all(Array.from({ length: 10 }, () => fixture.shop.startPayment({ total: TOTAL })));
  const payments = await Promise.all(sessions.map(({ session }) => fixture.visit(session)));
  fixture.shop.tokens.expireAccess();
  for (const payment of payments) await fixture.pay(payment);
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length === 10);
  expect(fixture.shop.tokens.refreshes).toBe(1);
});

test("a token renewal whose answer was lost is repeated", async () => {
  const fixture = await openFixture();
  fixture.shop.tokens.expireAccess();
  fixture.simulator.faults.add({ on: "access_token", reset: true, when: "after" });
  const session = await payNewSession(fixture);
  await fixture.until(() => fixture.shop.tokens.refreshes > 0);
  await fixture.advanceTime(2 * MINUTE);
  expect(await isRecorded(fixture, session)).toBe(true);
});

test("a payment of a shop that revoked our access becomes a dead-letter job and is resolved after a new installation", async () => {
  const fixture = await openFixture();
  fixture.shop.tokens.revokeAll();
  const session = await payNewSession(fixture);
  await fixture.until(() => fixture.log.some(({ message }) => message === "shopify.reconnect_required"));
  await fixture.advanceTime(MINUTE);
  expect((await fixture.payment(session)).state).toBe("verified");
  await fixture.shop.install();
  await fixture.advanceTime(MINUTE);
  expect(await isRecorded(fixture, session)).toBe(true);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
});

test("two processes on one database resolve each payment once", async () => {
  const fixture = await openFixture();
  await fixture.openSecondApp();
  const sessions = await Promise.all(Array.from({ length: 20 }, () => fixture.shop.startPayment({ total: TOTAL })));
  const payments = await Promise.all(sessions.map(({ session }) => fixture.visit(session)));
  await Promise.all(payments.map((payment) => fixture.pay(payment)));
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length === 20);
  await fixture.advanceTime(3 * MINUTE);
  expect(outcomesOfCalls(fixture)).toHaveLength(20);
});

test("twenty payments are resolved after an outage of half an hour without a burst of calls", async () => {
  const fixture = await openFixture();
  const PAYMENTS = 20;
  fixture.simulator.faults.add({ on: RESOLVE, status: 503, times: 1_000_000 });
  const sessions: PaymentSession[] = [];
  for (let shopper = 0; shopper < PAYMENTS; shopper += 1) sessions.push(await payNewSession(fixture));
  await fixture.advanceTime(30 * MINUTE, { longestStepMs: MINUTE, shortestStepMs: 30 * SECOND });
  const callsDuringOutage = outcomesOfCalls(fixture).length;
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  // Because of the open circuit most payments do not make the eleven attempts of their schedule.
  expect(callsDuringOutage).toBeLessThan(5 * PAYMENTS);
  fixture.simulator.faults.clear();
  await fixture.advanceTime(HOUR, { longestStepMs: 2 * MINUTE, shortestStepMs: 30 * SECOND });
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(PAYMENTS);
  expect(outcomesOfCalls(fixture).length - callsDuringOutage).toBe(PAYMENTS);
  for (const session of sessions) expect(await isRecorded(fixture, session)).toBe(true);
});
