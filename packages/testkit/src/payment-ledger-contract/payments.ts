import type { Payment, PaymentState } from "@tillkit/core";
import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { commit, givenPayments, NOON, ORDER, payment, session, transaction } from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };
const OTHER_STORE = { storeId: "shoes", orderId: ORDER.orderId };

export function testPayments(getLedger: GetLedger): void {
  it("a payment is returned exactly as it was committed", async () => {
    await givenPayments(getLedger(), EVERY_FIELD);
    expect(await getLedger().find({ id: EVERY_FIELD.id })).toEqual(EVERY_FIELD);
    expect(await getLedger().paymentsOfOrder(EVERY_FIELD.ref)).toEqual([EVERY_FIELD]);
  });

  it("a stored value does not change when a caller changes the object that it passed or received", async () => {
    const passed = { ...payment("p1"), ref: { ...ORDER } };
    await givenPayments(getLedger(), passed);
    tryToChange(passed);
    const received = await getLedger().find({ id: "p1" });
    if (received !== null) tryToChange(received);
    expect(await getLedger().find({ id: "p1" })).toEqual(payment("p1"));
  });

  it("a payment is found by id, session and transaction, and an unknown key finds nothing", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "open", session: session("cs_1") }));
    const paid = payment("p1", { state: "verified", session: session("cs_1"), transactionId: "txn_1", version: 2 });
    expect(await getLedger().find({ transactionId: "txn_1" })).toBeNull();
    await commit(getLedger(), { payment: { next: paid, expect: 1 }, transactions: [transaction("txn_1")] });
    for (const key of [{ id: "p1" }, { sessionId: "cs_1" }, { transactionId: "txn_1" }]) {
      expect(await getLedger().find(key)).toEqual(paid);
    }
    for (const key of [{ id: "p2" }, { sessionId: "cs_2" }, { transactionId: "txn_2" }, { id: "" }]) {
      expect(await getLedger().find(key)).toBeNull();
    }
  });

  it("a payment is found by its attempt within one store", async () => {
    await givenPayments(getLedger(), payment("p1", { attempt: "try" }));
    expect(await getLedger().find({ attempt: "try", storeId: "hats" })).toMatchObject({ id: "p1" });
    expect(await getLedger().find({ attempt: "try", storeId: "shoes" })).toBeNull();
    expect(await getLedger().find({ attempt: "other", storeId: "hats" })).toBeNull();
  });

  it("the newest payment of an attempt is found, and among payments of the same time the later insert", async () => {
    const superseded = { attempt: "try", state: "superseded" } as const;
    await givenPayments(
      getLedger(),
      payment("newest", { ...superseded, createdAt: NOON + 1 }),
      payment("older", { ...superseded, createdAt: NOON }),
    );
    expect(await getLedger().find({ attempt: "try", storeId: "hats" })).toMatchObject({ id: "newest" });
    await givenPayments(getLedger(), payment("same moment", { ...superseded, createdAt: NOON + 1 }));
    const changed = payment("newest", { ...superseded, createdAt: NOON + 1, version: 2, checks: 1 });
    await commit(getLedger(), { payment: { next: changed, expect: 1 } });
    expect(await getLedger().find({ attempt: "try", storeId: "hats" })).toMatchObject({ id: "same moment" });
  });

  it("an empty attempt finds no payment", async () => {
    await givenPayments(getLedger(), payment("p1"));
    expect(await getLedger().find({ attempt: "", storeId: "hats" })).toBeNull();
  });

  it("the payments of one order are listed oldest first", async () => {
    const closed = { state: "closed" } as const;
    // The second and the third payment have the same time, so the order of their inserts decides.
    await givenPayments(
      getLedger(),
      payment("second", { ...closed, createdAt: NOON + 2 }),
      payment("third", { ...closed, createdAt: NOON + 2 }),
      payment("first", { ...closed, createdAt: NOON + 1 }),
      payment("other order", { ref: OTHER_ORDER }),
      payment("other store", { ref: OTHER_STORE }),
    );
    expect((await getLedger().paymentsOfOrder(ORDER)).map(({ id }) => id)).toEqual(["first", "second", "third"]);
    expect(await getLedger().paymentsOfOrder({ storeId: "hats", orderId: "unknown" })).toEqual([]);
  });

  it("openPayments lists the payments of one credential that may still receive money, newest first and limited", async () => {
    const mayReceiveMoney: readonly PaymentState[] = ["intent", "open", "superseded", "expired"];
    const others: readonly PaymentState[] = ["closed", "verified", "review", "duplicate", "recorded", "refunded"];
    // Two payments each have the same time, so that the later insert comes first.
    const all = [...mayReceiveMoney, ...others].map((state, index) =>
      payment(state, { state, createdAt: NOON + Math.floor(index / 2), ref: { storeId: "hats", orderId: `${index}` } }),
    );
    const otherCredential = payment("other credential", {
      credentialId: "credential-2",
      ref: OTHER_STORE,
      createdAt: NOON + 99,
    });
    await givenPayments(getLedger(), ...all, otherCredential);
    const list = async (limit: number) => (await getLedger().openPayments("credential-1", limit)).map(({ id }) => id);
    expect(await list(10)).toEqual(["expired", "superseded", "open", "intent"]);
    expect(await list(2)).toEqual(["expired", "superseded"]);
  });
}

/** A payment with a value in every field, and with characters that a database may store wrongly. */
const EVERY_FIELD: Payment = {
  ...payment("0b7f…é"),
  ref: { storeId: "chapeaux-été", orderId: "commande n° 1 / 日本" },
  attempt: "gid://shop/PaymentSession/1",
  environment: "live",
  account: "acct_1",
  amountDue: { minor: Number.MAX_SAFE_INTEGER, currency: "USD" },
  wireAmount: Number.MAX_SAFE_INTEGER,
  request: '{"title":"Chapeau « été » 🎩","amount":1}\n',
  session: session("cs_1"),
  transactionId: "txn_1",
  state: "review",
  checks: 7,
  nextCheckAt: NOON + 1,
  storeWriteAt: NOON + 2,
  finding: {
    code: "amount_differs",
    expected: { minor: 5_000, currency: "XOF" },
    found: { minor: 500, currency: "XOF" },
  },
  waiver: {
    finding: { code: "paid_outside", paidBy: "owner", markedBy: null, accepts: "total_changed" },
    by: "owner",
    at: NOON + 3,
  },
  lostToDispute: true,
};

// The ledger may return copies, which can be changed, or frozen objects, which throw a TypeError when they are changed.
function tryToChange(payment: Payment): void {
  const writable = payment as { state: string; ref: { orderId: string } };
  for (const change of [() => (writable.state = "recorded"), () => (writable.ref.orderId = "order-9")]) {
    try {
      change();
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
  }
}
