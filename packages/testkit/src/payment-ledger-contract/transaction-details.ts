import { expect, it } from "vitest";
import {
  commit,
  deliveredEvent,
  type GetLedger,
  givenEvent,
  givenPayments,
  NOON,
  payment,
  timelineEntry,
} from "./samples.ts";

export function testTransactionDetails(getLedger: GetLedger): void {
  it("nothing is known of a transaction before its first event, and an unknown payment has no details", async () => {
    await givenPayments(getLedger(), payment("p1"));
    expect(await getLedger().transactionDetails("p1")).toMatchObject({ method: null, wireFee: null, recordedAt: null });
    expect(await getLedger().transactionDetails("p2")).toBeNull();
  });

  it("the event of a success reports method, code, fee and net amount, and the payment is found by the code", async () => {
    await givenPayments(getLedger(), payment("p1"), payment("p2", { ref: { storeId: "hats", orderId: "order-2" } }));
    const event = deliveredEvent({}, { code: "txn_1", customerId: "c-1", wireFee: 125, wireNet: 4875 });
    await givenEvent(getLedger(), "p1", event);
    expect(await getLedger().transactionDetails("p1")).toEqual({
      transactionCode: "txn_1",
      method: "WAVE",
      customerId: "c-1",
      wireFee: 125,
      wireNet: 4875,
      succeededAt: NOON,
      recordedAt: null,
    });
    expect((await getLedger().find({ transactionCode: "txn_1" }))?.id).toBe("p1");
    expect(await getLedger().find({ transactionCode: "txn_2" })).toBeNull();
    expect((await getLedger().find({ id: "p1" }))?.version).toBe(1);
  });

  it("an event of another attempt does not replace the details that the success reported", async () => {
    await givenPayments(getLedger(), payment("p1"));
    await givenEvent(getLedger(), "p1", deliveredEvent({ name: "PAYMENT_FAILED" }, { method: "CARD", code: "txn_0" }));
    expect(await getLedger().transactionDetails("p1")).toMatchObject({ method: "CARD", succeededAt: null });
    await givenEvent(getLedger(), "p1", deliveredEvent({}, { code: "txn_1" }));
    await givenEvent(getLedger(), "p1", deliveredEvent({ name: "PAYMENT_CREATED" }, { method: "MTN", code: "txn_2" }));
    expect(await getLedger().transactionDetails("p1")).toMatchObject({ method: "WAVE", transactionCode: "txn_1" });
  });

  it("the time at which a payment was first recorded on its order is kept", async () => {
    await givenPayments(getLedger(), payment("p1"));
    await commit(getLedger(), { timeline: [timelineEntry("recorded", { at: NOON + 5 })] });
    await commit(getLedger(), { timeline: [timelineEntry("recorded", { at: NOON + 9 })] });
    expect(await getLedger().transactionDetails("p1")).toMatchObject({ recordedAt: NOON + 5 });
  });

  it("a delivery shows the name and time of its event and the number of delivery attempts", async () => {
    await givenEvent(getLedger(), "p1", deliveredEvent({ at: NOON - 7 }));
    const [row] = (await getLedger().listDeliveries({ limit: 1 })).rows;
    expect(row).toMatchObject({ event: "PAYMENT_SUCCEEDED", eventAt: NOON - 7, attempts: 2 });
  });

  it("a payment is found by the code of its session, which ends the address of the hosted page", async () => {
    const session = { id: "s-1", url: "https://pay.example/checkout/cs_8QW3ER5TYU7KPA", expiresAt: NOON };
    await givenPayments(getLedger(), payment("p1", { session, state: "open" }));
    expect((await getLedger().find({ sessionCode: "cs_8QW3ER5TYU7KPA" }))?.id).toBe("p1");
    expect(await getLedger().find({ sessionCode: "cs_8qw3er5tyu7kpa" })).toBeNull();
  });

  it("the service's id of the customer is removed with the other personal data of a finished payment", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "recorded" }));
    await givenEvent(getLedger(), "p1", deliveredEvent({}, { customerId: "c-1", code: "txn_1" }));
    const jobs = await getLedger().claim({ worker: "w", now: NOON, leaseMs: 1_000, limit: 9 });
    await commit(getLedger(), { finished: jobs.map(({ id }) => id) });
    await getLedger().prune({ before: NOON + 1, limit: 9 });
    expect(await getLedger().transactionDetails("p1")).toMatchObject({ customerId: null, transactionCode: "txn_1" });
  });
}
