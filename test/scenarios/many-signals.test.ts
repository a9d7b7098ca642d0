import { confirmForShopper, recordCancel, startCheckout } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectPaymentIn, HOUR, LEDGERS, MINUTE, openFixture, SECOND } from "./fixture.ts";

const KINDS = ["read-then-write", "callback", "write-only"] as const;
const COMBINATIONS = KINDS.flatMap((kind) => LEDGERS.map((ledger) => ({ kind, ledger })));

describe.each(COMBINATIONS)(
  "signals about an order of a $kind shop, with the ledger in $ledger",
  ({ kind, ledger }) => {
    it("18 · an order is paid once and read a few times when its webhook comes ten times with fresh ids, at one moment and again a day later", async () => {
      const fixture = await openFixture(kind, { ledger });
      const placed = await fixture.placeOrder();
      const payment = await fixture.startCheckout(placed);
      const events = Array.from({ length: 10 }, () => fixture.service.pay(payment));
      expect(new Set(events.map(({ bytes }) => String(bytes))).size).toBe(10);
      const answers = await Promise.all(events.map((event) => fixture.deliver(event)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      await fixture.run(30 * SECOND);
      await expectPaymentIn(fixture, placed, "recorded");
      const reads = fixture.service.calls.length;
      // One signal reads the service; the signals that found the order locked see the result and read nothing.
      expect(reads).toBeLessThanOrEqual(kind === "callback" ? 4 : 3);
      await fixture.advanceTime(24 * HOUR);
      await fixture.deliver(fixture.service.pay(payment));
      await fixture.run(30 * SECOND);
      expect(fixture.service.calls).toHaveLength(reads);
      expect(fixture.store.probe.effects()).toHaveLength(1);
    });

    it("18 · an order is paid by the webhook alone when the shopper's return is lost", async () => {
      const fixture = await openFixture(kind, { ledger });
      const placed = await fixture.placeOrder();
      await fixture.deliver(fixture.service.pay(await fixture.startCheckout(placed)));
      await fixture.run(5 * SECOND);
      await expectPaymentIn(fixture, placed, "recorded");
      expect(fixture.store.probe.effects()).toHaveLength(1);
    });

    it("18 · an order is paid by the shopper's return alone when the webhook is lost", async () => {
      const fixture = await openFixture(kind, { ledger });
      const placed = await fixture.placeOrder();
      const payment = await fixture.startCheckout(placed);
      fixture.service.pay(payment);
      expect(await confirmForShopper(fixture.engine(), payment.id)).toMatchObject({ status: "paid" });
      expect(fixture.store.probe.effects()).toHaveLength(1);
    });

    it("18 · an order that was paid in two tabs is marked paid once, and the owner sees the second payment", async () => {
      const fixture = await openFixture(kind, { ledger });
      const placed = await fixture.placeOrder();
      const first = await fixture.startCheckout(placed);
      await fixture.advanceTime(55 * MINUTE);
      const second = await fixture.startCheckout(placed);
      expect(second.id).not.toBe(first.id);
      const events = [fixture.service.pay(second), fixture.service.pay(first)];
      await Promise.all(events.map((event) => fixture.deliver(event)));
      await fixture.run(MINUTE);
      const recorded = await expectPaymentIn(fixture, placed, "recorded");
      await expectPaymentIn(fixture, placed, "duplicate");
      expect(fixture.store.probe.effects()).toMatchObject([{ paymentId: recorded.id }]);
      expect(await fixture.store.probe.notes(placed.ref.orderId)).toHaveLength(1);
    });

    it("18 · an order can be paid on the same page after the shopper opened the cancel link", async () => {
      const fixture = await openFixture(kind, { ledger });
      const placed = await fixture.placeOrder();
      const payment = await fixture.startCheckout(placed);
      const status = fixture.store.probe.status(placed.ref.orderId);
      await recordCancel(fixture.engine(), payment.id);
      await fixture.run(MINUTE);
      expect(fixture.store.probe.status(placed.ref.orderId)).toBe(status);
      const order = await fixture.store.adapter.findOrder(placed.ref, placed.attempt);
      if (!order) throw new Error("The order must exist.");
      expect(await startCheckout(fixture.engine(), order)).toMatchObject({ status: "redirect", paymentId: payment.id });
      await fixture.deliver(fixture.service.pay(payment));
      await fixture.run(5 * SECOND);
      await expectPaymentIn(fixture, placed, "recorded");
    });

    it("18 · the next scheduled read pays an order whose payment succeeded after expiry and whose webhook was lost", async () => {
      const fixture = await openFixture(kind, { ledger });
      const placed = await fixture.placeOrder();
      const payment = await fixture.startCheckout(placed);
      await fixture.advanceTime(5 * HOUR);
      await expectPaymentIn(fixture, placed, "expired");
      fixture.service.pay(payment);
      await fixture.advanceTime(24 * HOUR);
      await expectPaymentIn(fixture, placed, "recorded");
      expect(fixture.store.probe.effects()).toHaveLength(1);
    });
  },
);
