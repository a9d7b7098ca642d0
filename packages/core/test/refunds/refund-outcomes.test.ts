import { describe, expect, it } from "vitest";
import { CheckoutError, type Engine, refundPayment } from "../../src/index.ts";
import { settleRefund } from "../../src/refunds/settle-refund.ts";
import { syncRefunds } from "../../src/refunds/sync-refunds.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { addDashboardRefund, fixtureWithPaidOrder, withService } from "./refund-steps.ts";

const HOUR = 60 * 60_000;

function refund(engine: Engine, paymentId: string, minor: number, key: string) {
  return refundPayment(engine, { paymentId, key, amount: { minor, currency: "XOF" }, origin: "store" });
}

/** Lets 25 hours of outage pass, after which all Idempotency-Keys have expired, and then works for some minutes. */
async function expireKeys(fixture: EngineFixture): Promise<void> {
  fixture.service.fail = "posts-down";
  for (let hour = 0; hour < 25; hour += 1) {
    await fixture.clock.advance(HOUR);
    await fixture.work();
  }
  fixture.service.fail = null;
  for (let minute = 0; minute < 15; minute += 1) {
    await fixture.clock.advance(60_000);
    await fixture.work();
  }
}

const statesOf = async (fixture: EngineFixture, paymentId: string) =>
  Object.fromEntries((await fixture.ledger.refunds(paymentId)).map(({ key, state }) => [key, state]));

describe("a pending refund", () => {
  it("money in a pending refund cannot be refunded again", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.slowRefunds = true;
    expect(await refund(fixture.engine, paymentId, 3_000, "click-1")).toMatchObject({ state: "pending" });
    await expect(refund(fixture.engine, paymentId, 3_000, "click-2")).rejects.toMatchObject({
      code: "refund_too_large",
    });
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("a refund with a stored result does not become unknown when a response is lost later", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const engineLosingResponse = withService(fixture.engine, (service) => ({
      async refund(request) {
        await service.refund(request);
        await refund(fixture.anotherProcess("two"), paymentId, 2_000, "click-1");
        throw new CheckoutError("service_unavailable", "cut", { retryable: true });
      },
    }));
    expect(await refund(engineLosingResponse, paymentId, 2_000, "click-1")).toMatchObject({ state: "completed" });
    expect(await statesOf(fixture, paymentId)).toEqual({ "click-1": "completed" });
  });
});

describe("a refund that never reached the service", () => {
  it("a refund that was never made fails although another refund of the same amount was made just before", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture.engine, paymentId, 2_000, "click-1");
    fixture.service.fail = "posts-down";
    await refund(fixture.engine, paymentId, 2_000, "click-2");
    await expireKeys(fixture);
    expect(await statesOf(fixture, paymentId)).toEqual({ "click-1": "completed", "click-2": "failed" });
  });

  it("a refund that was never made fails although another one of the same amount was made, whose mark the service drops", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture.engine, paymentId, 2_000, "click-1");
    Object.assign(fixture.service.refunds[0] ?? {}, { reason: "" });
    fixture.service.fail = "posts-down";
    await refund(fixture.engine, paymentId, 2_000, "click-2");
    await expireKeys(fixture);
    expect(await statesOf(fixture, paymentId)).toEqual({ "click-1": "completed", "click-2": "failed" });
  });

  it("a refund stays in doubt where the dashboard refunded the same amount two days before and the service shows it late", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const twoDaysBefore = fixture.clock.now();
    await fixture.clock.advance(48 * HOUR);
    fixture.service.fail = "posts-down";
    await refund(fixture.engine, paymentId, 2_000, "click-1");
    // The service shows the refund so late that it is not stored when ours is requested.
    addDashboardRefund(fixture, 2_000, twoDaysBefore);
    await expireKeys(fixture);
    expect(await statesOf(fixture, paymentId)).toEqual({ "click-1": "unknown" });
    await settleRefund(fixture.engine, { paymentId, key: "click-1", wasMade: false, by: "owner" });
    await syncRefunds(fixture.engine, paymentId);
    expect(await statesOf(fixture, paymentId)).toEqual({ "click-1": "failed", "service:refund-9": "completed" });
  });

  it("a refund that was never made is sent again although the dashboard has refunded the same amount since", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.fail = "posts-down";
    await refund(fixture.engine, paymentId, 2_000, "click-1");
    fixture.service.fail = null;
    addDashboardRefund(fixture, 2_000, fixture.clock.now());
    await syncRefunds(fixture.engine, paymentId);
    const sent = await refund(fixture.engine, paymentId, 2_000, "click-1");
    expect(sent).toMatchObject({ state: "completed", refundId: "refund-2" });
  });
});

describe("the transaction of a refund request", () => {
  it.each([
    ["was declined", { sessionId: "session-1", status: "failed" }],
    [
      "names nobody and has another amount",
      { status: "completed", wireAmount: 40_000, currency: "XOF", createdAt: Date.UTC(2100, 0) },
    ],
    [
      "names nobody and is older than the payment",
      { status: "completed", wireAmount: 5_000, currency: "XOF", createdAt: -HOUR },
    ],
    ["paid another session", { sessionId: "session-9", status: "completed" }],
  ])("a refund never uses a transaction that %s", async (_what, facts) => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const payment = await fixture.expectPaymentIn("recorded");
    const next = { ...payment, transactionId: "stored-transaction", version: payment.version + 1 };
    await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    const engine = withService(fixture.engine, (service) => ({
      readTransaction: async (request) =>
        request.id === "stored-transaction" ? { id: request.id, ...facts } : await service.readTransaction(request),
    }));
    expect(await refund(engine, paymentId, 2_000, "click-1")).toMatchObject({ state: "completed" });
    expect(fixture.service.refundPosts[0]?.request).toContain("transaction-of-session-1");
  });
});
