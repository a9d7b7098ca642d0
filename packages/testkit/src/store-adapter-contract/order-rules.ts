import { strict as assert } from "node:assert";
import { money } from "@tillkit/core";
import {
  assertOutcome,
  markPaid,
  placeOrder,
  receiptFor,
  requirePart,
  type StoreAdapterRule,
  someTotal,
} from "./rule.ts";

/** Identifiers that no shop has issued, with characters that need escaping in URLs, SQL, JSON and file systems. */
const ODD_IDS = ["no-such-order", "../1?a=b&c=%00", "'; drop table orders --", '{"$gt":""}', "é😀/+=", "__proto__", ""];

const XOF_AMOUNTS = [1, 999, 5_000, 1_234_567];
const USD_AMOUNTS = [1, 10, 1_010, 1_999, 100_000, 123_456_789];

/** Rules about reading orders. */
export const orderRules: readonly StoreAdapterRule[] = [
  {
    title: "findOrder returns an unpaid, payable order with its ref, attempt, total and environment",
    needs: [],
    check: async (harness) => {
      const total = someTotal(harness);
      const { ref, attempt } = await placeOrder(harness, { total });
      const order = await harness.adapter.findOrder(ref, attempt);
      assert.ok(order, "The order was placed, so it must be found.");
      const { title, language, ...rest } = order;
      assert.deepEqual(rest, { ref, attempt, total, environment: harness.environment, payable: true, paidBy: null });
      assert.ok(title.trim() !== "", "The hosted page needs a title.");
      assert.ok(language === "fr" || language === "en");
    },
  },
  exactAmounts("XOF", XOF_AMOUNTS),
  exactAmounts("USD", USD_AMOUNTS),
  {
    title: "findOrder returns an order's total in the order's own currency",
    needs: ["XOF", "USD"],
    check: async (harness) => {
      const francs = await placeOrder(harness, { total: money(1_000, "XOF") });
      const dollars = await placeOrder(harness, { total: money(1_000, "USD") });
      const orders = await Promise.all(
        [francs, dollars].map(({ ref, attempt }) => harness.adapter.findOrder(ref, attempt)),
      );
      assert.deepEqual(
        orders.map((order) => order?.total),
        [money(1_000, "XOF"), money(1_000, "USD")],
      );
    },
  },
  {
    title: "an order's title keeps its quotes, accents and emoji",
    needs: ["titles"],
    check: async (harness) => {
      const title = `L'été à l'Île : 2 × "café" & <thé> 🧺`;
      const { ref, attempt } = await placeOrder(harness, { title });
      const order = await harness.adapter.findOrder(ref, attempt);
      assert.ok(order?.title.includes(title), `Expected ${title}, got ${order?.title}.`);
    },
  },
  {
    title: "findOrder returns the shopper's language",
    needs: ["languages"],
    check: async (harness) => {
      for (const language of ["fr", "en"] as const) {
        const { ref, attempt } = await placeOrder(harness, { language });
        assert.equal((await harness.adapter.findOrder(ref, attempt))?.language, language);
      }
    },
  },
  {
    title: "an order that does not exist is never found, whatever characters its id has",
    needs: [],
    check: async (harness) => {
      const placed = await placeOrder(harness);
      for (const orderId of ODD_IDS) {
        const unknown = { ...placed, ref: { ...placed.ref, orderId } };
        assert.equal(await harness.adapter.findOrder(unknown.ref, unknown.attempt), null, `Found an order ${orderId}.`);
        assertOutcome(await harness.adapter.markPaid(receiptFor(harness, unknown)), "gone");
      }
      assert.equal(await harness.probe.timesPaid(placed), 0);
    },
  },
  {
    title: "an order of another shop is never found, even under the same order number",
    needs: [],
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const elsewhere = { ...placed, ref: { ...placed.ref, storeId: "another-shop" } };
      assert.equal(await harness.adapter.findOrder(elsewhere.ref, elsewhere.attempt), null);
      assertOutcome(await harness.adapter.markPaid(receiptFor(harness, elsewhere)), "gone");
      assert.equal(await harness.probe.timesPaid(placed), 0);
    },
  },
  {
    title: "findOrder returns a changed total",
    needs: ["editTotal"],
    check: async (harness) => {
      const total = someTotal(harness);
      const placed = await placeOrder(harness, { total });
      await harness.adapter.findOrder(placed.ref, placed.attempt);
      const changed = { ...total, minor: total.minor + 700 };
      const { ref, attempt } = await requirePart(harness, "editTotal")(placed, changed);
      assert.deepEqual((await harness.adapter.findOrder(ref, attempt))?.total, changed);
    },
  },
  {
    title: "a cancelled order is no longer payable",
    needs: ["makeUnpayable", "readBack"],
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await requirePart(harness, "makeUnpayable")(placed);
      const order = await harness.adapter.findOrder(placed.ref, placed.attempt);
      assert.ok(!order?.payable, "The owner closed this order.");
    },
  },
  {
    title: "a paid order names the payment that paid it",
    needs: [],
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { paymentId } = await markPaid(harness, placed);
      assert.equal((await harness.adapter.findOrder(placed.ref, placed.attempt))?.paidBy, paymentId);
    },
  },
  {
    title: "an order that was paid outside names no payment of ours",
    needs: ["payOutside", "readBack"],
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await requirePart(harness, "payOutside")(placed);
      assert.equal((await harness.adapter.findOrder(placed.ref, placed.attempt))?.paidBy, "outside");
    },
  },
  {
    title: "shopperUrl returns an absolute URL for every outcome",
    needs: [],
    check: async (harness) => {
      const { ref, attempt } = await placeOrder(harness);
      for (const outcome of ["paid", "waiting", "cancelled", "refused"] as const) {
        const url = new URL(await harness.adapter.shopperUrl(ref, attempt, outcome));
        assert.ok(url.protocol === "https:" || url.protocol === "http:", `${url} is not an absolute web address.`);
      }
    },
  },
  {
    title: "the adapter declares the write class of its platform",
    needs: [],
    check: async (harness) => {
      const { platform, writes, retryScheduleMs } = harness.adapter;
      assert.match(platform, /^[a-z0-9-]+$/);
      if (writes.kind === "read-then-write")
        assert.ok(writes.settleAfterMs > 0, "A request in flight has a maximum lifetime.");
      assert.ok(retryScheduleMs?.every((ms) => ms > 0) ?? true, "The delay between two attempts must be positive.");
    },
  },
];

function exactAmounts(currency: "XOF" | "USD", amounts: readonly number[]): StoreAdapterRule {
  return {
    title: `amounts in ${currency} are exact`,
    needs: [currency],
    check: async (harness) => {
      for (const minor of amounts) {
        const { ref, attempt } = await placeOrder(harness, { total: money(minor, currency) });
        assert.deepEqual((await harness.adapter.findOrder(ref, attempt))?.total, money(minor, currency));
      }
    },
  };
}
