import { strict as assert } from "node:assert";
import type { Finding } from "@tillkit/core";
import type { PlacedOrder } from "../stores/miniature-store.ts";
import type { StoreAdapterHarness } from "./harness.ts";
import { assertUnpaid, payOutside, placeOrder, type Rule, requirePart } from "./rule.ts";

const FINDING: Finding = {
  code: "amount_differs",
  expected: { minor: 5_000, currency: "XOF" },
  found: { minor: 4_999, currency: "XOF" },
};
const PENDING_UNTIL = Date.UTC(2100, 0, 1);

/** Rules about decisions that only the owner and the shopper make. */
export const ownerRules: readonly Rule[] = [
  {
    title: "a shopper who cancels or returns changes nothing in the shop",
    needs: [],
    advice:
      "Let shopperUrl compute an address and write nothing. A browser that came back proves nothing about the payment.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { ref, attempt } = placed;
      const before = await harness.adapter.findOrder(ref, attempt);
      for (const outcome of ["cancelled", "refused", "waiting", "paid"] as const) {
        await harness.adapter.shopperUrl(ref, attempt, outcome);
        const after = JSON.stringify(await harness.adapter.findOrder(ref, attempt));
        const expected = `shopperUrl("${outcome}") must leave the order as it was`;
        assert.ok(after === JSON.stringify(before), `${expected}, but findOrder now returns ${after}.`);
      }
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "an order that its owner cancelled stays cancelled, whatever is reported later",
    needs: ["makeUnpayable", "readBack"],
    advice:
      "holdForReview, markPending, markRefused and addNote never change the status of an order that its owner closed.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await requirePart(harness, "makeUnpayable")(placed);
      for await (const method of reportEverything(harness, placed)) {
        const order = await harness.adapter.findOrder(placed.ref, placed.attempt);
        assert.ok(!order?.payable, `${method} must leave the order cancelled, but findOrder returns payable: true.`);
      }
      await assertUnpaid(harness, placed);
    },
  },
  {
    title: "an order that its owner marked as paid stays paid, whatever is reported later",
    needs: ["payOutside", "readBack"],
    advice: "holdForReview, markPending, markRefused and addNote never change the status of an order that is paid.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await payOutside(harness, placed);
      for await (const method of reportEverything(harness, placed)) {
        const order = await harness.adapter.findOrder(placed.ref, placed.attempt);
        const found = JSON.stringify(order?.paidBy);
        assert.ok(
          order?.paidBy === "outside",
          `${method} must leave the order paid, but findOrder returns paidBy: ${found}.`,
        );
      }
    },
  },
];

// Reports a difference, a pending payment, a refusal and a note to the shop, and yields the name of each method after its call.
async function* reportEverything(
  { adapter }: StoreAdapterHarness,
  { ref, attempt }: PlacedOrder,
): AsyncGenerator<string> {
  await adapter.holdForReview(ref, attempt, FINDING);
  yield "holdForReview";
  await adapter.markPending?.(ref, attempt, PENDING_UNTIL);
  yield "markPending";
  await adapter.markRefused?.(ref, attempt, FINDING);
  yield "markRefused";
  await adapter.addNote?.(ref, "late", "A note that came late.");
  yield "addNote";
}
