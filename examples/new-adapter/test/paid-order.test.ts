import { money } from "@tillkit/core";
import { createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { expect, test } from "vitest";
import { openShopUnderTest } from "./shop-under-test.ts";

const ORDER = { total: money(5_000, "XOF"), title: "Two baskets", language: "en" } as const;

// #region paid-order
test("an order that its shopper pays on the hosted page is shipped once, whatever is repeated", async () => {
  const harness = await createCheckoutHarness({ store: openShopUnderTest });
  const placed = await harness.store.placeOrder(ORDER);
  const payment = await harness.startCheckout(placed);

  await harness.sandbox.control.paySession(payment.session?.id ?? "", { method: "card", outcome: "completed" });
  await harness.runUntil(async () => (await harness.payment(payment.id)).state === "recorded");
  harness.killAndRestart(); // requests in flight continue
  await harness.advanceTime(24 * 60 * 60_000);

  expect(await harness.store.probe.paidBy(placed)).toBe(payment.id);
  expect(await harness.store.probe.timesPaid(placed)).toBe(1);
  await harness.close();
  await harness.store.close();
});
// #endregion paid-order
