import type { Ledger, Payment, PaymentState } from "@tillkit/core";
import { expect, it } from "vitest";
import { type GetLedger, givenPayments, payment, session } from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };
const OTHER_STORE = { storeId: "shoes", orderId: "order-1" };
const PAYABLE: readonly PaymentState[] = ["intent", "open"];
const PAID: readonly PaymentState[] = ["verified", "recorded"];

export function testUniqueRules(getLedger: GetLedger): void {
  for (const [first, second] of pairs(PAYABLE)) {
    it(`an order has at most one payable payment (${first}, then ${second})`, async () => {
      await givenPayments(getLedger(), payment("p1", { state: first }));
      expect(await add(getLedger(), payment("p2", { state: second }))).toBe("taken");
      expect(await add(getLedger(), payment("p3", { state: second, ref: OTHER_ORDER }))).toBe("done");
      expect(await add(getLedger(), payment("p4", { state: second, ref: OTHER_STORE }))).toBe("done");
    });
  }

  for (const [first, second] of pairs(PAID)) {
    it(`an order is paid by at most one payment (${first}, then ${second})`, async () => {
      await givenPayments(getLedger(), payment("p1", { state: first }), payment("p2", { state: "superseded" }));
      expect(await change(getLedger(), payment("p2", { state: second, version: 2 }))).toBe("taken");
      expect(await getLedger().find({ id: "p2" })).toEqual(payment("p2", { state: "superseded" }));
      expect(await add(getLedger(), payment("p3", { state: second, ref: OTHER_ORDER }))).toBe("done");
      expect(await add(getLedger(), payment("p4", { state: second, ref: OTHER_STORE }))).toBe("done");
    });
  }

  for (const [first, second] of pairs(PAID)) {
    it(`a payment that a dispute took back leaves room for one other (${first}, then ${second})`, async () => {
      const lost = payment("p1", { state: first, lostToDispute: true });
      await givenPayments(getLedger(), lost);
      expect(await add(getLedger(), payment("p2", { state: second }))).toBe("done");
      expect(await add(getLedger(), payment("p3", { state: second }))).toBe("taken");
      expect(await change(getLedger(), { ...lost, version: 2, lostToDispute: false })).toBe("taken");
      expect(await change(getLedger(), { ...lost, version: 2, checks: 1 })).toBe("done");
      expect(await add(getLedger(), payment("p4", { state: second, lostToDispute: true }))).toBe("done");
      expect(await getLedger().find({ id: "p1" })).toEqual({ ...lost, version: 2, checks: 1 });
    });
  }

  it("an order can have any number of other payments beside one payable and one paid payment", async () => {
    const states: readonly PaymentState[] = ["superseded", "expired", "closed", "review", "duplicate", "refunding"];
    const others = [...states, ...states].map((state, index) => payment(`other-${index}`, { state, attempt: "try" }));
    await givenPayments(getLedger(), payment("p1"), payment("p2", { state: "recorded" }), ...others);
    expect(await getLedger().paymentsOfOrder(payment("p1").ref)).toHaveLength(14);
  });

  it("an order can get a new payment after the older payment was superseded", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "open", attempt: "try" }));
    expect(await add(getLedger(), payment("p2", { attempt: "try" }))).toBe("taken");
    expect(await change(getLedger(), payment("p1", { state: "superseded", attempt: "try", version: 2 }))).toBe("done");
    expect(await add(getLedger(), payment("p2", { attempt: "try" }))).toBe("done");
  });

  for (const [first, second] of pairs(PAYABLE)) {
    it(`an attempt has at most one payable payment (${first}, then ${second})`, async () => {
      await givenPayments(getLedger(), payment("p1", { state: first, attempt: "try" }));
      const sibling = payment("p2", { state: second, attempt: "try", ref: OTHER_ORDER });
      expect(await add(getLedger(), sibling)).toBe("taken");
      expect(await add(getLedger(), { ...sibling, attempt: "another try" })).toBe("done");
      expect(await add(getLedger(), payment("p3", { state: second, attempt: "try", ref: OTHER_STORE }))).toBe("done");
    });
  }

  it("payments with an empty attempt do not conflict", async () => {
    await givenPayments(getLedger(), payment("p1", { attempt: "" }), payment("p2", { attempt: "", ref: OTHER_ORDER }));
    expect(await getLedger().paymentsOfOrder(OTHER_ORDER)).toHaveLength(1);
  });

  it("one session never belongs to two payments, even when the first is closed", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "closed", session: session("cs_1") }));
    expect(await add(getLedger(), payment("p2", { ref: OTHER_STORE, session: session("cs_1") }))).toBe("taken");
    await givenPayments(getLedger(), payment("p2", { ref: OTHER_STORE }));
    const opened = payment("p2", { ref: OTHER_STORE, state: "open", version: 2, session: session("cs_1") });
    expect(await change(getLedger(), opened)).toBe("taken");
    expect(await change(getLedger(), { ...opened, session: session("cs_2") })).toBe("done");
    expect(await getLedger().find({ sessionId: "cs_1" })).toMatchObject({ id: "p1" });
  });

  it("a payment never conflicts with itself", async () => {
    const open = payment("p1", { state: "open", attempt: "try", session: session("cs_1") });
    await givenPayments(getLedger(), open);
    expect(await change(getLedger(), { ...open, version: 2, checks: 1 })).toBe("done");
    expect(await change(getLedger(), { ...open, version: 3, state: "verified" })).toBe("done");
    expect(await change(getLedger(), { ...open, version: 4, state: "recorded" })).toBe("done");
  });

  it("one of twenty concurrent clicks opens a payment of the order", async () => {
    const inserts = Array.from({ length: 20 }, (_, index) => add(getLedger(), payment(`p${index}`)));
    const answers = await Promise.all(inserts);
    expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "taken")).toHaveLength(19);
    expect(await getLedger().paymentsOfOrder(payment("p1").ref)).toHaveLength(1);
  });
}

function add(ledger: Ledger, next: Payment) {
  return ledger.commit({ payment: { next, expect: "new" }, timeline: [] });
}

function change(ledger: Ledger, next: Payment) {
  return ledger.commit({ payment: { next, expect: next.version - 1 }, timeline: [] });
}

/** Every value with every value, also with itself. */
function pairs<Value>(values: readonly Value[]): readonly (readonly [Value, Value])[] {
  return values.flatMap((first) => values.map((second) => [first, second] as const));
}
