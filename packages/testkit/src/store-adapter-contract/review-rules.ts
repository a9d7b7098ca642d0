import { strict as assert } from "node:assert";
import type { Finding } from "@tillkit/core";
import {
  assertOutcome,
  assertPaidOnce,
  assertUnpaid,
  markPaid,
  placeOrder,
  type Rule,
  receiptFor,
  requirePart,
} from "./rule.ts";

const WRONG_AMOUNT: Finding = {
  code: "amount_differs",
  expected: { minor: 5_000, currency: "XOF" },
  found: { minor: 4_999, currency: "XOF" },
};
const WRONG_CURRENCY: Finding = { code: "currency_differs", expected: "XOF", found: "USD" };

/** Rules about holds for review, notes, pending and refused payments, and unsettled orders. */
export const reviewRules: readonly Rule[] = [
  {
    title: "a payment that differs from its order is shown to the owner and does not pay the order",
    needs: [],
    advice:
      "Let holdForReview write a note with `explainFinding(finding, language)` on the order, and change no status to paid.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await harness.adapter.holdForReview(placed.ref, placed.attempt, WRONG_AMOUNT);
      const [hold] = await harness.probe.holds(placed);
      assert.ok(hold, "The owner must see the hold in the shop.");
      // Written in any language, such as 5,000 or 5 000.
      const digits = hold.replaceAll(/\D/gu, "");
      assert.ok(digits.includes("5000") && digits.includes("4999"), `"${hold}" does not contain 5000 and 4999.`);
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "the same finding is shown once, and a different finding is shown too",
    needs: [],
    advice: "Store the finding with the hold, and write nothing if the order shows the same finding.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { ref, attempt } = placed;
      // The last finding is an equal object, but not the same object.
      for (const finding of [WRONG_AMOUNT, WRONG_AMOUNT, { ...WRONG_AMOUNT }]) {
        await harness.adapter.holdForReview(ref, attempt, finding);
      }
      assert.equal((await harness.probe.holds(placed)).length, 1);
      await harness.adapter.holdForReview(ref, attempt, WRONG_CURRENCY);
      assert.equal((await harness.probe.holds(placed)).length, 2);
    },
  },
  {
    title: "a finding that several processes show at the same time is shown once",
    needs: ["conditionalHolds"],
    advice:
      'Give the hold a key that the shop itself keeps unique, or look for it under a lock of the order; else declare `memberWrites: { holdForReview: { kind: "read-then-write", settleAfterMs } }`.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const hold = () => harness.adapter.holdForReview(placed.ref, placed.attempt, WRONG_AMOUNT);
      await Promise.all([hold(), hold(), hold()]);
      const holds = await harness.probe.holds(placed);
      assert.ok(holds.length === 1, `The owner must see the hold once, but sees it ${holds.length} times.`);
    },
  },
  {
    title: "a held order can be marked paid after its owner accepted the payment",
    needs: [],
    advice: "A hold is a mark on the order: it does not cancel or close the order.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await harness.adapter.holdForReview(placed.ref, placed.attempt, WRONG_AMOUNT);
      const order = await harness.adapter.findOrder(placed.ref, placed.attempt);
      assert.ok(order?.payable, "Holding an order does not close it.");
      await assertPaidOnce(harness, placed, await markPaid(harness, placed));
    },
  },
  {
    title: "a paid order stays paid when a later payment of the order is held",
    needs: [],
    advice: "Do not change the status of a paid order in holdForReview.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = await markPaid(harness, placed);
      await harness.adapter.holdForReview(placed.ref, placed.attempt, WRONG_AMOUNT);
      await assertPaidOnce(harness, placed, receipt);
      const order = await harness.adapter.findOrder(placed.ref, placed.attempt);
      assert.equal(order?.paidBy, receipt.paymentId);
    },
  },
  {
    title: "holding an order that no longer exists does nothing and does not throw",
    needs: [],
    advice: "Return without an error when the order is gone.",
    check: async (harness) => {
      const { ref, attempt } = await placeOrder(harness);
      await harness.adapter.holdForReview({ ...ref, orderId: "no-such-order" }, attempt, WRONG_AMOUNT);
    },
  },
  {
    title: "a note is written once per key",
    needs: ["addNote"],
    advice: "Store the key with the note, and write nothing for a known key.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const addNote = requirePart(harness.adapter, "addNote");
      for (const key of ["duplicate:1", "duplicate:1", "duplicate:2"]) await addNote(placed.ref, key, "Paid twice.");
      const notes = await requirePart(harness.probe, "notes")(placed);
      assert.equal(notes.length, 2);
      assert.ok(notes.every((text) => text.includes("Paid twice.")));
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "a note that several processes write at the same time is written once",
    needs: ["addNote", "conditionalNotes"],
    advice:
      'Give the note a key that the shop itself keeps unique, or look for it under a lock of the order; else declare `memberWrites: { addNote: { kind: "read-then-write", settleAfterMs } }`.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const addNote = requirePart(harness.adapter, "addNote");
      const write = () => addNote(placed.ref, "duplicate:1", "Paid twice.");
      await Promise.all([write(), write(), write()]);
      const notes = await requirePart(harness.probe, "notes")(placed);
      assert.ok(notes.length === 1, `The order must have the note once, but has it ${notes.length} times.`);
    },
  },
  {
    title: "a pending payment does not pay the order, and can still succeed",
    needs: ["markPending"],
    advice: "Let markPending show that the payment is in progress; the order stays unpaid and payable.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const markPending = requirePart(harness.adapter, "markPending");
      const expiresAt = Date.UTC(2100, 0, 1);
      await markPending(placed.ref, placed.attempt, expiresAt);
      await markPending(placed.ref, placed.attempt, expiresAt);
      await assertUnpaid(harness, placed);
      const receipt = await markPaid(harness, placed);
      // A late report must not undo the payment.
      await markPending(placed.ref, placed.attempt, expiresAt);
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "a payment that was finally refused is never marked paid",
    needs: ["markRefused"],
    advice: 'After markRefused the attempt is over: findOrder returns `payable: false` and markPaid "not-payable".',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { ref, attempt } = placed;
      const markRefused = requirePart(harness.adapter, "markRefused");
      assertOutcome("markRefused", await markRefused(ref, attempt, WRONG_AMOUNT), "recorded");
      assertOutcome("markRefused", await markRefused(ref, attempt, WRONG_AMOUNT), "already");
      assert.equal((await harness.adapter.findOrder(ref, attempt))?.payable, false);
      const { adapter } = harness;
      assertOutcome("markPaid", await adapter.markPaid(receiptFor(harness, placed)), "not-payable");
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "a paid order can no longer be refused",
    needs: ["markRefused"],
    advice: 'Read the order before markRefused writes, and return "other-payment" or "not-payable" for a paid order.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = await markPaid(harness, placed);
      const markRefused = requirePart(harness.adapter, "markRefused");
      assertOutcome(
        "markRefused",
        await markRefused(placed.ref, placed.attempt, WRONG_AMOUNT),
        "other-payment",
        "not-payable",
      );
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "listUnsettled lists unpaid orders and no paid orders",
    needs: ["listUnsettled"],
    advice: "List the orders that are neither paid nor closed and were placed or changed since the given time.",
    check: async (harness) => {
      const [open, paid] = [await placeOrder(harness), await placeOrder(harness)];
      await markPaid(harness, paid);
      const listed: string[] = [];
      for await (const { ref } of requirePart(harness.adapter, "listUnsettled")(0)) listed.push(ref.orderId);
      assert.ok(listed.includes(open.ref.orderId), "An unpaid order must be listed.");
      assert.ok(!listed.includes(paid.ref.orderId), "A paid order is settled.");
    },
  },
];
