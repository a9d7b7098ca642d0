import { money } from "@tillkit/core";
import { createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { expect, test } from "vitest";
import { refundOrder } from "../src/refund-order.ts";
import { openShopUnderTest } from "./shop-under-test.ts";

const ORDER = { total: money(5_000, "XOF"), title: "Two baskets", language: "en" } as const;

test("money goes back once when the owner clicks refund twice, and the order shows it", async () => {
  const harness = await createCheckoutHarness({ store: openShopUnderTest });
  const { shop, probe } = harness.store;
  const placed = await harness.store.placeOrder(ORDER);
  const { orderId } = placed.ref;
  const decision = { orderId, amount: money(2_000, "XOF"), key: "click-1", by: "owner" };
  await expect(refundOrder(harness.engine(), shop, decision)).rejects.toThrow("was not paid through Tillkit");

  const payment = await harness.startCheckout(placed);
  await harness.sandbox.control.paySession(payment.session?.id ?? "", { method: "card", outcome: "completed" });
  await harness.runUntil(async () => (await harness.payment(payment.id)).state === "recorded");
  const clicks = [1, 2].map(() => refundOrder(harness.engine(), shop, decision).catch(() => null));
  await Promise.all(clicks);
  await harness.advanceTime(60 * 60_000);

  expect(await probe.refunds(placed)).toEqual([money(2_000, "XOF")]);
  expect(await probe.timesPaid(placed)).toBe(1);
  await harness.close();
  await harness.store.close();
});
