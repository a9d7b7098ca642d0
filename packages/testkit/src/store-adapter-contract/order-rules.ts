import { strict as assert } from "node:assert";
import { type AddressUse, addressFault, addressRule } from "@tillkit/client";
import { money } from "@tillkit/core";
import {
  assertOutcome,
  markPaid,
  payOutside,
  placeOrder,
  type Rule,
  receiptFor,
  requirePart,
  someTotal,
} from "./rule.ts";

/** Identifiers that no shop has issued, with characters that need escaping in URLs, SQL, JSON and file systems. */
const ODD_IDS = ["no-such-order", "../1?a=b&c=%00", "'; drop table orders --", '{"$gt":""}', "é😀/+=", "__proto__", ""];

const XOF_AMOUNTS = [1, 999, 5_000, 1_234_567];
const USD_AMOUNTS = [1, 10, 1_010, 1_999, 100_000, 123_456_789];

/** Rules about reading orders. */
export const orderRules: readonly Rule[] = [
  {
    title: "findOrder returns an unpaid, payable order with its ref, attempt, total and environment",
    needs: [],
    advice:
      "Let findOrder read the order from the shop and return it with the ref and attempt that it was asked for, `payable: true` and `paidBy: null`.",
    check: async (harness) => {
      const total = someTotal(harness);
      const { ref, attempt } = await placeOrder(harness, { total });
      const order = await harness.adapter.findOrder(ref, attempt);
      assert.ok(order, "The order was placed, so it must be found.");
      const { title, language, number = "1", description: _description, customer: _customer, ...rest } = order;
      assert.deepEqual(rest, { ref, attempt, total, environment: harness.environment, payable: true, paidBy: null });
      assert.ok(
        title.trim() !== "",
        "findOrder must return a title for the hosted page, but it returned an empty text.",
      );
      assert.ok(
        number.trim() !== "",
        "findOrder must return the order's number or leave it out, but it returned an empty text.",
      );
      assert.ok(
        language === "fr" || language === "en",
        `findOrder must return the language fr or en, not ${language}.`,
      );
    },
  },
  exactAmounts("XOF", XOF_AMOUNTS),
  exactAmounts("USD", USD_AMOUNTS),
  {
    title: "findOrder returns an order's total in the order's own currency",
    needs: ["XOF", "USD"],
    advice: "Take the currency from the order itself, not from a setting of the shop.",
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
    advice: "Return the text as the shop stores it: unescaped, as Unicode.",
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
    advice: "Store the shopper's language with the order when it is placed, and return it.",
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
    advice:
      'Escape the order id where it enters a URL or a query; findOrder returns null and markPaid the outcome "gone" for an unknown order.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      for (const orderId of ODD_IDS) {
        const unknown = { ...placed, ref: { ...placed.ref, orderId } };
        assert.equal(await harness.adapter.findOrder(unknown.ref, unknown.attempt), null, `Found an order ${orderId}.`);
        assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, unknown)), "gone");
      }
      assert.equal(await harness.probe.timesPaid(placed), 0);
    },
  },
  {
    title: "an order is found only under its own id, and not under another spelling of the same number",
    needs: [],
    advice:
      'Compare the id of the order that you found with `ref.orderId` as text: Number("02") and parseInt("2x") find order 2 as well. Tillkit takes each spelling for a different order, so order 2 could be paid twice.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { orderId: ownId } = placed.ref;
      for (const orderId of [
        `0${ownId}`,
        `+${ownId}`,
        `${ownId}.0`,
        `${ownId}e0`,
        `${ownId}x`,
        ` ${ownId}`,
        `${ownId} `,
      ]) {
        const otherId = { ...placed, ref: { ...placed.ref, orderId } };
        const found = await harness.adapter.findOrder(otherId.ref, otherId.attempt);
        assert.equal(found, null, `findOrder must not find order "${ownId}" under the id "${orderId}".`);
        assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, otherId)), "gone");
      }
      assert.equal(await harness.probe.timesPaid(placed), 0);
    },
  },
  {
    title: "an order of another shop is never found, even under the same order number",
    needs: [],
    advice: "Compare `ref.storeId` with the store of this adapter before anything is read or written.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const inOtherShop = { ...placed, ref: { ...placed.ref, storeId: "another-shop" } };
      assert.equal(await harness.adapter.findOrder(inOtherShop.ref, inOtherShop.attempt), null);
      assertOutcome("markPaid", await harness.adapter.markPaid(receiptFor(harness, inOtherShop)), "gone");
      assert.equal(await harness.probe.timesPaid(placed), 0);
    },
  },
  {
    title: "findOrder returns a changed total",
    needs: ["editTotal"],
    advice: "Read the order from the shop at every call, and keep no copy.",
    check: async (harness) => {
      const total = someTotal(harness);
      const placed = await placeOrder(harness, { total });
      // A first read, after which an adapter might keep a copy.
      await harness.adapter.findOrder(placed.ref, placed.attempt);
      const changed = { ...total, minor: total.minor + 700 };
      const { ref, attempt } = await requirePart(harness, "editTotal")(placed, changed);
      assert.deepEqual((await harness.adapter.findOrder(ref, attempt))?.total, changed);
    },
  },
  {
    title: "a cancelled order is no longer payable",
    needs: ["makeUnpayable", "readBack"],
    advice: "Return `payable: false` for every status in which the shop would not ship the order.",
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
    advice: "Store the payment id on the order in the same write that marks it paid, and return it as `paidBy`.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const { paymentId } = await markPaid(harness, placed);
      assert.equal((await harness.adapter.findOrder(placed.ref, placed.attempt))?.paidBy, paymentId);
    },
  },
  {
    title: "an order that was paid outside Tillkit names no payment of ours",
    needs: ["payOutside", "readBack"],
    advice: 'Return `paidBy: "outside"` when the order is paid and carries no payment id of ours.',
    check: async (harness) => {
      const placed = await placeOrder(harness);
      await payOutside(harness, placed);
      assert.equal((await harness.adapter.findOrder(placed.ref, placed.attempt))?.paidBy, "outside");
    },
  },
  {
    title: "shopperUrl returns an absolute URL for every outcome",
    needs: [],
    advice: "Return a complete address with https://: our pages are on another host than the shop.",
    check: async (harness) => {
      const { ref, attempt } = await placeOrder(harness);
      for (const outcome of ["paid", "waiting", "cancelled", "refused"] as const) {
        const url = await harness.adapter.shopperUrl(ref, attempt, outcome);
        assertAddress(url, "link", `The address that shopperUrl returns for "${outcome}"`);
      }
    },
  },
  {
    title: "the adapter declares its platform, write class, retry schedule and branding in the right form",
    needs: [],
    advice:
      "Write `platform` in lower case, give `writes` a positive `settleAfterMs` if the platform has no conditional write, give every retry delay in positive milliseconds, and check the addresses and the color of `branding`.",
    check: async (harness) => {
      const { platform, writes, retryScheduleMs, branding = {} } = harness.adapter;
      assert.match(platform, /^[a-z0-9-]+$/);
      if (writes.kind === "read-then-write") {
        assert.ok(writes.settleAfterMs > 0, "settleAfterMs, the longest time that a write can take, must be positive.");
      }
      assert.ok(retryScheduleMs?.every((ms) => ms > 0) ?? true, "The delay between two attempts must be positive.");
      const { homeUrl = "https://shop.example", logoUrl = "https://logo.example", color = "#000000" } = branding;
      assertAddress(homeUrl, "link", "branding.homeUrl");
      assertAddress(logoUrl, "picture", "branding.logoUrl");
      assert.match(color, /^#[\da-f]{6}$/i, `branding.color must look like #0a7d4b, but it is "${color}".`);
    },
  },
];

function exactAmounts(currency: "XOF" | "USD", amounts: readonly number[]): Rule {
  return {
    title: `amounts in ${currency} are exact`,
    needs: [currency],
    advice: "Convert the shop's decimal text with `parseMoney` of @tillkit/core; floating point loses cents.",
    check: async (harness) => {
      for (const minor of amounts) {
        const { ref, attempt } = await placeOrder(harness, { total: money(minor, currency) });
        assert.deepEqual((await harness.adapter.findOrder(ref, attempt))?.total, money(minor, currency));
      }
    },
  };
}

function assertAddress(address: string, use: AddressUse, name: string): void {
  const fault = addressFault(address, use);
  assert.ok(fault === null, fault === null ? "" : `${name} ${addressRule(fault)}.`);
}
