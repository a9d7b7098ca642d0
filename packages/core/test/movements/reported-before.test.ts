import { describe, expect, it } from "vitest";
import type { Service } from "../../src/hosts.ts";
import { type Engine, nameTransaction, refundPayment } from "../../src/index.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { passMinutes } from "../fixture/steps.ts";
import { deliver, francs, withService } from "../refunds/refund-steps.ts";
import { fixtureWithBareReads, paidOrder, TRUE_ID } from "./nameless-steps.ts";

const facts = { dispute_id: "dispute-1", transaction_id: TRUE_ID, amount: 5000, currency_code: "XOF" };
const lost = { ...facts, status: "closed", outcome: "lost", updated_at: "2026-03-01T10:00:01Z" };

/** How the transaction that the dispute named becomes certain afterwards. */
const WAYS: Record<string, (fixture: EngineFixture, paymentId: string) => Promise<unknown>> = {
  "a person named the transaction": ({ engine }, paymentId) =>
    nameTransaction(engine, { paymentId, transactionId: TRUE_ID, by: "owner" }),
  "a late event named it": (fixture) =>
    deliver(fixture, "late", "PAYMENT_SUCCEEDED", { checkout_session_id: "session-1", transaction_id: TRUE_ID }),
  "the service named it when a refund was asked for": async (fixture, paymentId) => {
    const named = withService(
      fixture.engine,
      (service): Partial<Service> => ({
        readSession: async (...call) => ({ ...(await service.readSession(...call)), transactionId: TRUE_ID }),
      }),
    );
    Object.assign(fixture.engine, { tenants: named.tenants });
    await expect(refundOf(fixture.engine, paymentId)).rejects.toMatchObject({ code: "ledger_busy", retryable: true });
  },
};

const refundOf = (engine: Engine, paymentId: string) =>
  refundPayment(engine, { paymentId, key: "click-1", amount: francs(5000), origin: "store" });

describe("an event about a transaction that nothing named yet", () => {
  it.each(Object.keys(WAYS))("a lost dispute that was reported before counts once %s", async (way) => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await deliver(fixture, "dispute", "DISPUTE_CLOSED", lost);
    expect(await fixture.ledger.disputes(paymentId)).toEqual([]);
    await WAYS[way]?.(fixture, paymentId);
    await passMinutes(fixture, 1);
    expect(await fixture.ledger.disputes(paymentId)).toMatchObject([{ id: "dispute-1", outcome: "lost" }]);
    expect((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(true);
    await expect(refundOf(fixture.engine, paymentId)).rejects.toMatchObject({ code: "refund_over_dispute" });
    expect(fixture.service.refunds).toEqual([]);
  });

  it("a lost dispute that was reported before is not overtaken by a refund right after a person named the transaction", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await deliver(fixture, "dispute", "DISPUTE_CLOSED", lost);
    await nameTransaction(fixture.engine, { paymentId, transactionId: TRUE_ID, by: "owner" });
    await expect(refundOf(fixture.engine, paymentId)).rejects.toMatchObject({ code: "ledger_busy", retryable: true });
    expect(fixture.service.refunds).toEqual([]);
  });

  it("a dispute whose delivery is matched while a person names the transaction counts", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    const { ledger, engine } = fixture;
    let isNamed = false;
    const commit: Engine["ledger"]["commit"] = async (change) => {
      const isMarking = change.processed?.some(({ transactionId }) => transactionId === TRUE_ID) ?? false;
      if (isMarking && !isNamed) {
        isNamed = true;
        await nameTransaction(engine, { paymentId, transactionId: TRUE_ID, by: "owner" });
      }
      return await ledger.commit(change);
    };
    Object.assign(engine, { ledger: { ...ledger, commit } });
    await deliver(fixture, "dispute", "DISPUTE_CLOSED", lost);
    await passMinutes(fixture, 1);
    expect.soft(isNamed).toBe(true);
    expect(await fixture.ledger.disputes(paymentId)).toMatchObject([{ id: "dispute-1" }]);
  });

  it("a dispute of another integration stays unrelated, and delays no refund of ours", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await deliver(fixture, "dispute", "DISPUTE_CLOSED", { ...lost, transaction_id: "till-1" });
    await nameTransaction(fixture.engine, { paymentId, transactionId: TRUE_ID, by: "owner" });
    expect(await refundOf(fixture.engine, paymentId)).toMatchObject({ state: "completed" });
    await passMinutes(fixture, 1);
    expect(await fixture.ledger.disputes(paymentId)).toEqual([]);
  });
});
