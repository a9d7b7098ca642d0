import { describe, expect, it } from "vitest";
import { confirmPayment, decideDispute, refundPayment, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, startAndPay } from "../fixture/steps.ts";
import { deliver, fixtureWithPaidOrder, francs } from "../refunds/refund-steps.ts";

const ids = { dispute_id: "dispute-1", transaction_id: "transaction-of-session-1", checkout_session_id: "session-1" };
const closed = { ...ids, amount: 5000, currency_code: "XOF", status: "closed" };
const lost = { ...closed, outcome: "lost", updated_at: "2026-03-01T10:00:01Z" };
const won = { ...closed, outcome: "won", updated_at: "2026-03-01T10:00:02Z" };

/** A dispute emptied the order's payment, and the owner opened the order again: a second session is open. */
async function fixtureWithSecondSession(fixture: EngineFixture): Promise<{ first: string; second: string }> {
  const first = await startAndPay(fixture);
  await confirmPayment(fixture.engine, first, { actor: "webhook" });
  await deliver(fixture, "lost", "DISPUTE_CLOSED", lost);
  fixture.store.order = anOrder();
  const { paymentId } = await startCheckout(fixture.engine, anOrder());
  fixture.service.pay("session-2");
  return { first, second: paymentId ?? "" };
}

describe("a lost dispute that was won after all", () => {
  it("is recorded, although the order's second payment takes the place at the same moment", async () => {
    let beforeDispute: (() => Promise<unknown>) | null = null;
    const fixture = createEngineFixture({
      wrapLedger: (ledger) => ({
        ...ledger,
        async commit(change) {
          const interfere = change.disputes?.length ? beforeDispute : null;
          if (interfere) beforeDispute = null;
          await interfere?.();
          return await ledger.commit(change);
        },
      }),
    });
    const { first, second } = await fixtureWithSecondSession(fixture);
    beforeDispute = () => confirmPayment(fixture.anotherProcess("two"), second, { actor: "webhook" });
    await deliver(fixture, "won", "DISPUTE_UPDATED", won);
    await passMinutes(fixture, 10);
    expect(await fixture.ledger.disputes(first)).toMatchObject([{ outcome: "won" }]);
  });

  it("is told on the order, whose last note said that the money is lost and must not be refunded", async () => {
    const fixture = createEngineFixture();
    await fixtureWithSecondSession(fixture);
    await deliver(fixture, "won", "DISPUTE_UPDATED", won);
    await passMinutes(fixture, 10);
    expect([...fixture.store.notes.values()].join()).toMatch(/won/);
  });

  it("pays the order again once the second payment was refunded, so its shopper is not asked a third time", async () => {
    const fixture = createEngineFixture();
    const { second } = await fixtureWithSecondSession(fixture);
    await passMinutes(fixture, 5);
    await deliver(fixture, "won", "DISPUTE_UPDATED", won);
    const click = { paymentId: second, key: "click-1", amount: francs(5000), origin: "tillkit" } as const;
    await refundPayment(fixture.engine, click);
    await passMinutes(fixture, 10);
    fixture.store.order = anOrder();
    expect((await startCheckout(fixture.engine, anOrder())).status).not.toBe("redirect");
  });
});

const endedSilently = (second: number) => ({ ...closed, updated_at: `2026-03-01T10:00:0${second}Z` });
const reopened = { ...closed, status: "pending", updated_at: "2026-03-01T10:00:03Z" };

describe("a dispute that was opened again after it was won", () => {
  it.each([
    ["a person said so", ["reopened", "ended"]],
    ["a person said so, and the event of its second end arrives first", ["ended", "reopened"]],
    ["an event said so", ["reopened", "ended"]],
  ])("counts as lost once it ended without an outcome: %s", async (who, order) => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    if (who === "an event said so") await deliver(fixture, "won", "DISPUTE_CLOSED", won);
    else {
      await deliver(fixture, "silent", "DISPUTE_CLOSED", endedSilently(2));
      await decideDispute(fixture.engine, { paymentId, disputeId: "dispute-1", outcome: "won", by: "owner" });
    }
    for (const event of order) {
      if (event === "reopened") await deliver(fixture, "again", "DISPUTE_UPDATED", reopened);
      else await deliver(fixture, "ended", "DISPUTE_CLOSED", endedSilently(4));
    }
    const click = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
    await expect(refundPayment(fixture.engine, click)).rejects.toMatchObject({ code: "refund_over_dispute" });
    await decideDispute(fixture.engine, { paymentId, disputeId: "dispute-1", outcome: "won", by: "owner" });
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ state: "completed" });
  });

  it("stays won while events only repeat its end, or add to it", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await deliver(fixture, "silent", "DISPUTE_CLOSED", endedSilently(2));
    await decideDispute(fixture.engine, { paymentId, disputeId: "dispute-1", outcome: "won", by: "owner" });
    await deliver(fixture, "repeated", "DISPUTE_CLOSED", endedSilently(2));
    await deliver(fixture, "evidence", "DISPUTE_UPDATED", { ...endedSilently(4), reason: "fraudulent" });
    expect(await fixture.ledger.disputes(paymentId)).toMatchObject([{ outcome: "won", reason: "fraudulent" }]);
  });
});

it("a dispute that is opened again and ends a second time is told on the order each time", async () => {
  const { fixture } = await fixtureWithPaidOrder();
  const lostAgain = { ...lost, updated_at: "2026-03-01T10:00:06Z" };
  const pendingFirst = { ...reopened, updated_at: "2026-03-01T10:00:00Z" };
  await deliver(fixture, "created", "DISPUTE_CREATED", pendingFirst);
  await deliver(fixture, "lost", "DISPUTE_CLOSED", lost);
  await deliver(fixture, "again", "DISPUTE_UPDATED", reopened);
  for (const id of ["lost again", "repeated"]) await deliver(fixture, id, "DISPUTE_CLOSED", lostAgain);
  expect(fixture.store.notes.size).toBe(4);
  expect([...fixture.store.notes.values()].at(-1)).toMatch(/lost/);
});
