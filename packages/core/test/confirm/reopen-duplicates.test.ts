import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  refundPayment,
  type SessionReading,
  StoreError,
  syncRefunds,
  verifyPayment,
} from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passTime, SESSION_NEARLY_OVER_MS, startPayment } from "../fixture/steps.ts";

describe("a duplicate whose verified sibling payment fails", () => {
  it("a duplicate pays the order when the store refuses the verified payment", async () => {
    // The store is unavailable for the first write of the payment of session-2, and refuses this payment afterwards.
    const refusedIds = new Set<string>();
    const fixture: EngineFixture = createEngineFixture({
      store: {
        retryScheduleMs: [60_000],
        findOrder: async () => fixture.store.order,
        markPaid: async ({ paymentId, sessionId }) => {
          if (sessionId === "session-2" && refusedIds.size === 0) {
            refusedIds.add(paymentId);
            throw new StoreError("unavailable", "Later.");
          }
          if (refusedIds.has(paymentId)) return { outcome: "not-payable", why: { kind: "order_changed" } };
          fixture.store.order = anOrder({ paidBy: paymentId, payable: false });
          return { outcome: "recorded", evidence: "read-back" };
        },
      },
    });
    await startPayment(fixture);
    await fixture.clock.advance(SESSION_NEARLY_OVER_MS);
    await startPayment(fixture);
    fixture.service.pay("session-2");
    await passTime(fixture, { ms: 130_000, stepMs: 10_000 });
    await fixture.expectPaymentIn("verified");
    fixture.service.pay("session-1");
    const [first] = await fixture.ledger.paymentsOfOrder({ storeId: "shop", orderId: "1042" });
    await confirmPayment(fixture.engine, first?.id ?? "", { actor: "webhook" });
    await fixture.expectPaymentIn("duplicate");
    await passTime(fixture, { ms: 10 * 60_000, stepMs: 10_000 });
    expect(await fixture.expectPaymentIn("recorded")).toMatchObject({ id: first?.id });
    // The refused payment is the duplicate now.
    await fixture.expectPaymentIn("duplicate");
  });
});

describe("a verified payment that is refunded before its store is written", () => {
  it.each(["by the merchant", "in the service's dashboard"])(
    "a duplicate pays the order after the verified payment was refunded %s",
    async (where) => {
      const amount = { minor: 5000, currency: "XOF" };
      let isDown = true;
      const fixture: EngineFixture = createEngineFixture({
        store: {
          retryScheduleMs: [60_000],
          findOrder: async () => fixture.store.order,
          markPaid: async ({ paymentId }) => {
            if (isDown) throw new StoreError("unavailable", "Later.");
            fixture.store.order = anOrder({ paidBy: paymentId, payable: false });
            return { outcome: "recorded", evidence: "read-back" };
          },
        },
      });
      await startPayment(fixture);
      await fixture.clock.advance(SESSION_NEARLY_OVER_MS);
      await startPayment(fixture);
      const [first, second] = await fixture.ledger.paymentsOfOrder({ storeId: "shop", orderId: "1042" });
      fixture.service.pay("session-2");
      await confirmPayment(fixture.engine, second?.id ?? "", { actor: "webhook" });
      fixture.service.pay("session-1");
      await confirmPayment(fixture.engine, first?.id ?? "", { actor: "webhook" });
      const verified = await fixture.expectPaymentIn("verified");
      const duplicate = await fixture.expectPaymentIn("duplicate");
      if (where === "by the merchant") {
        await refundPayment(fixture.engine, { paymentId: verified.id, key: "owner", amount, origin: "tillkit" });
      } else {
        const transactionId = verified.transactionId ?? "";
        fixture.service.refunds.push({
          key: "dashboard",
          id: "refund-9",
          status: "completed",
          wireAmount: 5000,
          transactionId,
        });
        await syncRefunds(fixture.engine, verified.id);
      }
      isDown = false;
      await passTime(fixture, { ms: 10 * 60_000, stepMs: 10_000 });
      expect(await fixture.expectPaymentIn("recorded")).toMatchObject({ id: duplicate.id });
      expect(await fixture.expectPaymentIn("refunded")).toMatchObject({ id: verified.id });
    },
  );
});

describe("a duplicate that counts now, while the service does not show its session", () => {
  it.each([
    ["returned no session", { status: undefined }],
    ["showed its session as open", { status: "open" }],
  ])(
    "a duplicate pays the order as soon as its session can be read again, after the service %s",
    async (_how, stale) => {
      const fixture: EngineFixture = createEngineFixture({
        store: {
          retryScheduleMs: [60_000],
          findOrder: async () => fixture.store.order,
          markPaid: async ({ paymentId, sessionId }) => {
            if (sessionId === "session-2") return { outcome: "not-payable", why: { kind: "total_changed" } };
            fixture.store.order = anOrder({ paidBy: paymentId, payable: false });
            return { outcome: "recorded", evidence: "read-back" };
          },
        },
      });
      await startPayment(fixture);
      await fixture.clock.advance(SESSION_NEARLY_OVER_MS);
      await startPayment(fixture);
      const [first, second] = await fixture.ledger.paymentsOfOrder({ storeId: "shop", orderId: "1042" });
      fixture.service.pay("session-2");
      await verifyPayment(fixture.engine, second?.id ?? "");
      fixture.service.pay("session-1");
      await confirmPayment(fixture.engine, first?.id ?? "", { actor: "webhook" });
      await fixture.expectPaymentIn("duplicate");
      showSession(fixture, "session-1", stale);
      await confirmPayment(fixture.engine, second?.id ?? "", { actor: "webhook" });
      await passTime(fixture, { ms: 5 * 60_000, stepMs: 10_000 });
      await fixture.expectPaymentIn("duplicate");
      showSession(fixture, "session-1", {});
      await passTime(fixture, { ms: 5 * 60_000, stepMs: 10_000 });
      expect(await fixture.expectPaymentIn("recorded")).toMatchObject({ id: first?.id });
    },
  );
});

/** The service shows this session with these fields instead of its own. */
function showSession({ service }: EngineFixture, sessionId: string, overrides: SessionReading): void {
  const session = service.sessions.get(sessionId);
  if (session) session.overrides = overrides;
}
