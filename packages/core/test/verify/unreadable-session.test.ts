import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { confirmPayment, limits, receiveWebhook, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { HOUR, passMinutes, passTime, startPayment } from "../fixture/steps.ts";

const DAY = 24 * HOUR;

/** From now on a read of this session returns nothing, as after a 404. Returns a function that shows the session again. */
function hideSession(fixture: EngineFixture, sessionId: string): () => void {
  const session = fixture.service.sessions.get(sessionId);
  if (!session) throw new Error(`There is no ${sessionId}.`);
  session.overrides = { id: undefined, status: undefined };
  return () => {
    session.overrides = {};
  };
}

async function deliverSuccess(
  fixture: EngineFixture,
  data: object = { checkout_session_id: "session-1" },
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ id: "e1", event: "PAYMENT_SUCCEEDED", data }));
  await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
  await fixture.work();
}

describe("an order whose session cannot be read", () => {
  it("an order with an unreadable session can be paid on another page and is not shown as held", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    hideSession(fixture, "session-1");
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "shopper" })).toMatchObject({
      status: "waiting",
      payment: { state: "open", finding: { code: "not_verifiable" } },
    });
    expect(fixture.store.holds).toEqual([]);
    const again = await startCheckout(fixture.engine, anOrder());
    expect(again).toMatchObject({ status: "redirect", url: expect.stringContaining("session-2") });
  });

  it("a shopper gets the same page again once its session can be read", async () => {
    const fixture = createEngineFixture();
    const first = await startCheckout(fixture.engine, anOrder());
    const showSession = hideSession(fixture, "session-1");
    await confirmPayment(fixture.engine, first.paymentId ?? "", { actor: "shopper" });
    showSession();
    await fixture.clock.advance(limits.sharedReadingMaxAgeMs);
    expect(await startCheckout(fixture.engine, anOrder())).toEqual(first);
    await fixture.expectPaymentIn("open");
  });

  it("a payment is read on after one empty answer to a process whose clock is months ahead, and its order is paid", async () => {
    const fixture = createEngineFixture();
    const { clock } = fixture;
    const paymentId = await startPayment(fixture);
    const showSession = hideSession(fixture, "session-1");
    const engineAhead = { ...fixture.engine, clock: { ...clock, now: () => clock.now() + 90 * DAY } };
    await confirmPayment(engineAhead, paymentId, { actor: "timer" });
    await fixture.expectPaymentIn("open");
    showSession();
    fixture.service.pay("session-1");
    await passMinutes(fixture, 30);
    await fixture.expectPaymentIn("recorded");
  });

  it("an order is paid by a superseded page when its payment becomes readable later", async () => {
    const fixture = createEngineFixture();
    const firstId = await startPayment(fixture);
    const showSession = hideSession(fixture, "session-1");
    await confirmPayment(fixture.engine, firstId, { actor: "shopper" });
    await startPayment(fixture);
    showSession();
    fixture.service.pay("session-1");
    await passMinutes(fixture, 10);
    expect(fixture.store.paid.map(({ paymentId }) => paymentId)).toEqual([firstId]);
  });

  it("a payment that nobody could read for four days is paid once the service shows it again", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    const showSession = hideSession(fixture, "session-1");
    fixture.service.pay("session-1");
    await passTime(fixture, { ms: 4 * DAY, stepMs: HOUR });
    expect((await fixture.ledger.find({ id: paymentId }))?.state).toBe("open");
    showSession();
    await passTime(fixture, { ms: DAY, stepMs: HOUR });
    expect(fixture.store.paid.map((receipt) => receipt.paymentId)).toEqual([paymentId]);
  });

  it("a payment that stays unreadable for a month after its grace period is closed", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    hideSession(fixture, "session-1");
    await passTime(fixture, { ms: limits.graceMs + limits.unreadableMs + 2 * DAY, stepMs: 4 * HOUR });
    await fixture.expectPaymentIn("closed");
    const reads = fixture.service.reads.length;
    await passTime(fixture, { ms: 10 * DAY, stepMs: 4 * HOUR });
    expect(fixture.service.reads).toHaveLength(reads);
  });
});

describe("a payment under review for which the service reported no money", () => {
  it("a payment under review without money leaves review when the service reports its session as unpaid", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    const payment = await fixture.expectPaymentIn("open");
    const finding = { code: "not_verifiable", missing: "status" } as const;
    const next = { ...payment, state: "review", finding, version: payment.version + 1 } as const;
    await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    expect(await startCheckout(fixture.engine, anOrder())).toMatchObject({ status: "held" });
    await confirmPayment(fixture.engine, payment.id, { actor: "timer" });
    expect(await startCheckout(fixture.engine, anOrder())).toMatchObject({ status: "redirect" });
  });
});

describe("a success event before the session shows the success", () => {
  it("a success event leads to further reads for some minutes, even after the session expired", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    await passMinutes(fixture, 65);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { status: "expired" };
    fixture.service.pay("session-1");
    await deliverSuccess(fixture);
    expect(fixture.store.paid).toEqual([]);
    if (session) session.overrides = {};
    await passMinutes(fixture, 1);
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a success event for a session that was never paid costs a bounded number of reads", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    await passMinutes(fixture, 65);
    const before = fixture.service.reads.length;
    await deliverSuccess(fixture);
    await passMinutes(fixture, 120);
    expect(fixture.service.reads.length - before).toBeLessThanOrEqual(limits.maxSuccessReads + 1);
  });

  it("a success event leads to reads for hours while the service returns no session", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    await passMinutes(fixture, 65);
    fixture.service.pay("session-1");
    const showSession = hideSession(fixture, "session-1");
    await deliverSuccess(fixture);
    await passMinutes(fixture, 60);
    showSession();
    await passMinutes(fixture, 2);
    expect(fixture.store.paid).toHaveLength(1);
  });
});
