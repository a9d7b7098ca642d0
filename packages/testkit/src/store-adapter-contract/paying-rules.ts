import { strict as assert } from "node:assert";
import { money, type StoreAnswer } from "@tillkit/core";
import { missingReason } from "./harness.ts";
import {
  assertOutcome,
  assertPaidOnce,
  assertUnpaid,
  markPaid,
  payOutside,
  placeOrder,
  type Rule,
  receiptFor,
  requirePart,
  someTotal,
} from "./rule.ts";

const CONCURRENT_CALLS = 10;
const CONDITIONAL_WRITES_ADVICE =
  'Your writes are not conditional: two concurrent writes both succeeded. Make the shop itself reject the second write, or declare `writes: { kind: "read-then-write", settleAfterMs }`.';

/** Rules about marking an order paid: once, by one payment, or not at all. */
export const payingRules: readonly Rule[] = [
  {
    title: "markPaid marks an order paid, and the shop itself shows it",
    needs: [],
    advice: "Write to the shop once, and store the payment id with the order.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await assertPaidOnce(harness, placed, await markPaid(harness, placed));
    },
  },
  {
    title: "a payment of one order pays no other order",
    needs: [],
    advice: "Let the write name exactly one order.",
    check: async (harness) => {
      const [placed, other] = [await placeOrder(harness), await placeOrder(harness)];
      await markPaid(harness, placed);
      await assertUnpaid(harness, other);
      assert.equal((await harness.adapter.findOrder(other.ref, other.attempt))?.paidBy, null);
    },
  },
  {
    title: "the evidence is read-back if the shop can be read and acknowledged if it cannot",
    needs: [],
    advice:
      'Return `evidence: "read-back"` after the order was read back from the shop, and `acknowledged` only if the shop offers no read.',
    check: async (harness) => {
      const answer = await harness.adapter.markPaid(receiptFor(harness, await placeOrder(harness)));
      const readable = missingReason(harness, "readBack") === null;
      assert.equal("evidence" in answer && answer.evidence, readable ? "read-back" : "acknowledged");
    },
  },
  {
    title: "repeated calls of markPaid with the same payment pay the order once",
    needs: [],
    advice: 'Before the write, look at the payment that the order shows: if it is this payment, return "already".',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = await markPaid(harness, placed);
      for (const fence of [receipt.fence + 1, receipt.fence + 2]) {
        assertOutcome("markPaid", await harness.adapter.markPaid({ ...receipt, fence }), "already");
      }
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "ten concurrent calls of markPaid with the same payment pay the order once",
    needs: ["conditionalWrites"],
    advice: CONDITIONAL_WRITES_ADVICE,
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = receiptFor(harness, placed);
      const calls = Array.from({ length: CONCURRENT_CALLS }, () => harness.adapter.markPaid(receipt));
      for (const answer of await Promise.all(calls)) assertOutcome("markPaid", answer, "recorded", "already");
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "of ten concurrent payments, one pays the order and the others are refused",
    needs: ["conditionalWrites"],
    advice: CONDITIONAL_WRITES_ADVICE,
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipts = Array.from({ length: CONCURRENT_CALLS }, () => receiptFor(harness, placed));
      const answers = await Promise.all(receipts.map((receipt) => harness.adapter.markPaid(receipt)));
      const outcomes = answers.map(({ outcome }) => outcome).sort();
      const refused: StoreAnswer["outcome"][] = Array.from({ length: CONCURRENT_CALLS - 1 }, () => "other-payment");
      assert.deepEqual(outcomes, [...refused, "recorded"]);
      const winner = receipts[answers.findIndex(({ outcome }) => outcome === "recorded")];
      assert.ok(winner);
      await assertPaidOnce(harness, placed, winner);
    },
  },
  {
    title: "another payment of a paid order is refused and changes nothing",
    needs: [],
    advice:
      'Before the write, look at the payment that the order shows: if it is another payment, write nothing and return "other-payment".',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = await markPaid(harness, placed);
      assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, placed)), "other-payment");
      await assertPaidOnce(harness, placed, receipt);
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "already");
    },
  },
  {
    title: "of two paid tabs, the first pays the order and the second is refused",
    needs: ["secondAttempt"],
    advice: "Decide by the order, not by the attempt: a paid order is paid for all its attempts.",
    check: async (harness) => {
      const first = await placeOrder(harness);
      const second = await requirePart(harness, "secondAttempt")(first);
      assert.deepEqual(second.ref, first.ref, "A second attempt must belong to the same order.");
      assert.notEqual(second.attempt, first.attempt, "Each attempt must have its own id.");
      const receipt = await markPaid(harness, first);
      assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, second)), "other-payment");
      await assertPaidOnce(harness, first, receipt);
    },
  },
  {
    title: "an order that was paid outside Tillkit is not paid again",
    needs: ["payOutside"],
    advice: 'If the order is paid without a payment of ours, write nothing and return "other-payment".',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await payOutside(harness, placed);
      assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, placed)), "other-payment");
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "a cancelled order is not marked paid",
    needs: ["makeUnpayable"],
    advice: 'If the order cannot be paid any more, write nothing and return "not-payable".',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await requirePart(harness, "makeUnpayable")(placed);
      assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, placed)), "not-payable");
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "an order that was edited after its payment was verified is not marked paid",
    needs: ["editTotal"],
    advice:
      'Compare `receipt.total` with the order\'s total in the same step as the write, and return "not-payable" if they differ.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = receiptFor(harness, placed);
      const { minor, currency } = receipt.total;
      const edited = await requirePart(harness, "editTotal")(placed, { minor: minor + 100, currency });
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "not-payable");
      await assertUnpaid(harness, edited);
    },
  },
  {
    title: "a payment in another currency does not pay the order",
    needs: ["readBack"],
    advice: "Compare the currency of `receipt.total` with the order's currency, not only the number.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { minor, currency } = someTotal(harness);
      const receipt = receiptFor(harness, placed, money(minor, currency === "USD" ? "EUR" : "USD"));
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "not-payable");
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "a restarted adapter reads the order from the shop, not from memory",
    needs: ["restart"],
    advice: "Keep the payment id in the shop, not in the process.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = await markPaid(harness, placed);
      const restarted = await requirePart(harness, "restart")();
      assert.equal((await restarted.findOrder(placed.ref, placed.attempt))?.paidBy, receipt.paymentId);
      assertOutcome("markPaid", await restarted.markPaid(receipt), "already");
      await assertPaidOnce(harness, placed, receipt);
    },
  },
];
