import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { type Money, type Receipt, type StoreAdapter, writeClassOf } from "@tillkit/core";
import type { PlacedOrder } from "../stores/miniature-store.ts";
import type { StoreAdapterHarness } from "./harness.ts";
import {
  assertOutcome,
  assertPaidOnce,
  assertThrows,
  markPaid,
  placeOrder,
  type Rule,
  requirePart,
  waitUntilSettled,
} from "./rule.ts";

/** Longer than any caller waits, shorter than the maximum lifetime of a request. */
const LATE_MS = 60_000;

const NOT_CONDITIONAL =
  'Make the shop itself reject a second refund under the same `refundId`, or declare `memberWrites: { recordRefund: { kind: "read-then-write", settleAfterMs } }`.';

type RecordedRefund = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];

/** Rules about refunds that the merchant made outside the shop, such as in the service's dashboard, and that we report to the shop. */
export const refundRules: readonly Rule[] = [
  {
    title: "a refund is recorded once, and the order keeps its payment",
    needs: ["recordRefund"],
    advice: 'Store `refundId` with the refund in the shop, and return "already" for a known `refundId`.',
    check: async (harness) => {
      const { placed, receipt } = await paidOrder(harness);
      const recordRefund = requirePart(harness.adapter, "recordRefund");
      const refund = refundOf(placed, receipt);
      assertOutcome("recordRefund", await recordRefund(refund), "recorded");
      assertOutcome("recordRefund", await recordRefund(refund), "already");
      await assertRefunds(harness, placed, [receipt.paid]);
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "partial refunds are recorded with their own amounts",
    needs: ["recordRefund"],
    advice:
      "Write `amount` into the shop, not the order's total, and tell refunds apart by `refundId`, not by their amount.",
    check: async (harness) => {
      const { placed, receipt } = await paidOrder(harness);
      const recordRefund = requirePart(harness.adapter, "recordRefund");
      const amount = { ...receipt.paid, minor: Math.floor(receipt.paid.minor / 4) };
      for (const refundId of ["re_1", "re_2"]) {
        assertOutcome(
          "recordRefund",
          await recordRefund({ ...refundOf(placed, receipt, refundId), amount }),
          "recorded",
        );
      }
      await assertRefunds(harness, placed, [amount, amount]);
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "the refund of a duplicate payment leaves the paid order as it is",
    needs: ["recordRefund"],
    advice:
      "Record a refund only if the order shows `paymentId`. The money of another payment was never part of this order.",
    check: async (harness) => {
      const { placed, receipt } = await paidOrder(harness);
      const duplicate = { ...receipt, paymentId: randomUUID() };
      await requirePart(harness.adapter, "recordRefund")(refundOf(placed, duplicate));
      await assertRefunds(harness, placed, []);
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "a failed refund is not recorded as a refund",
    needs: ["recordRefund"],
    advice: "Record a refund only with the status `completed`; a failed refund may become a note.",
    check: async (harness) => {
      const { placed, receipt } = await paidOrder(harness);
      await requirePart(harness.adapter, "recordRefund")({ ...refundOf(placed, receipt), status: "failed" });
      await assertRefunds(harness, placed, []);
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "a refund is recorded once although the answer to its write was lost",
    needs: ["recordRefund", "network"],
    advice:
      "Throw a StoreError `unknown` when a write may have had its effect, and look for the refund before the next write.",
    check: async (harness) => {
      const { placed, receipt } = await paidOrder(harness);
      const recordRefund = requirePart(harness.adapter, "recordRefund");
      const refund = refundOf(placed, receipt);
      await requirePart(harness, "network").loseNextAnswer("after-effect");
      await assertThrows("recordRefund", recordRefund(refund), "unknown");
      await waitUntilSettled(harness, harness.adapter, "recordRefund");
      assertOutcome("recordRefund", await recordRefund(refund), "already");
      await assertRefunds(harness, placed, [receipt.paid]);
    },
  },
  {
    title: "a refund whose write takes effect after its caller gave up is recorded once",
    needs: ["recordRefund", "network"],
    advice: `Never repeat a write by yourself. ${NOT_CONDITIONAL}`,
    check: async (harness) => {
      const network = requirePart(harness, "network");
      const { placed, receipt } = await paidOrder(harness);
      const recordRefund = requirePart(harness.adapter, "recordRefund");
      // A part of the payment: a shop refuses by itself to refund more than the whole.
      const refund = partOf(refundOf(placed, receipt));
      await network.delayNextWrite(LATE_MS);
      await Promise.all([
        assertThrows("recordRefund", recordRefund(refund), "unknown"),
        network.advanceTime(LATE_MS - 1),
      ]);
      await assertRefunds(harness, placed, []);
      // Only a conditional member is called again while its first request is in flight.
      if (writeClassOf(harness.adapter, "recordRefund").kind === "conditional") {
        assertOutcome("recordRefund", await recordRefund(refund), "recorded", "already");
      }
      await waitUntilSettled(harness, harness.adapter, "recordRefund");
      await network.advanceTime(LATE_MS);
      assertOutcome("recordRefund", await recordRefund(refund), "already");
      await assertRefunds(harness, placed, [refund.amount]);
    },
  },
  {
    title: "a refund that several processes record at the same time is recorded once",
    needs: ["recordRefund", "conditionalRefunds"],
    advice: NOT_CONDITIONAL,
    check: async (harness) => {
      const { placed, receipt } = await paidOrder(harness);
      const recordRefund = requirePart(harness.adapter, "recordRefund");
      const refund = partOf(refundOf(placed, receipt));
      const answers = await Promise.all([recordRefund(refund), recordRefund(refund), recordRefund(refund)]);
      for (const answer of answers) assertOutcome("recordRefund", answer, "recorded", "already");
      await assertRefunds(harness, placed, [refund.amount]);
    },
  },
];

/** A quarter of the refund. */
function partOf(refund: RecordedRefund): RecordedRefund {
  return { ...refund, amount: { ...refund.amount, minor: Math.floor(refund.amount.minor / 4) } };
}

async function paidOrder(harness: StoreAdapterHarness): Promise<{ placed: PlacedOrder; receipt: Receipt }> {
  const placed = await placeOrder(harness);
  return { placed, receipt: await markPaid(harness, placed) };
}

function refundOf({ ref, attempt }: PlacedOrder, { paymentId, paid }: Receipt, refundId = "re_1"): RecordedRefund {
  return { paymentId, refundId, key: `service:${refundId}`, ref, attempt, amount: paid, status: "completed" };
}

async function assertRefunds(
  harness: StoreAdapterHarness,
  placed: PlacedOrder,
  expected: readonly Money[],
): Promise<void> {
  const shown = await requirePart(harness.probe, "refunds")(placed);
  const list = (amounts: readonly Money[]) =>
    amounts.map(({ minor, currency }) => `${minor} ${currency}`).join(" and ");
  assert.ok(
    list(shown) === list(expected),
    `recordRefund must leave refunds of ${list(expected) || "nothing"} in the shop, but the shop shows ${list(shown) || "none"}.`,
  );
}
