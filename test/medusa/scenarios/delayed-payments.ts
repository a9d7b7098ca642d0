import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectOk } from "../http.ts";
import { waitUntil } from "../probe.ts";
import type { ScenarioFixture } from "../scenario-fixture.ts";
import { type StartedPayment, startedPaymentOf } from "../shopper.ts";

const MINUTE = 60_000;

/** Payments that finish late: started before the other scenarios and checked after them. */
export type DelayedPayments = {
  /** Medusa was killed 50 ms after it accepted the webhook. */
  readonly interrupted: StartedPayment;
  /** Paid without a webhook and without a returning shopper. */
  readonly unreported: StartedPayment;
  /** Paid with a webhook while the service could not be read for a minute. */
  readonly unreadable: StartedPayment;
};

export async function startDelayedPayments(fixture: ScenarioFixture): Promise<DelayedPayments> {
  const { sandbox, shopper } = fixture;
  const interrupted = await fixture.payWithoutWebhook("xof");
  await fixture.sendWebhook(await fixture.webhookBodyFor(interrupted.checkoutId));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await fixture.kill();
  await fixture.restart();

  const unreported = await fixture.payWithoutWebhook("usd");

  const unreadable = await shopper.startPayment("xof");
  const path = `/checkout-sessions/${unreadable.checkoutId}`;
  const unavailable = { method: "GET", path, status: 503, times: 1_000_000 } as const;
  void fixture.withFault(unavailable, () => new Promise((resolve) => setTimeout(resolve, MINUTE)));
  await sandbox.control.paySession(unreadable.checkoutId, { method: "wave", outcome: "completed" });
  return { interrupted, unreported, unreadable };
}

export function delayedPayments(fixture: () => ScenarioFixture, started: () => DelayedPayments): void {
  describe("a delayed payment", () => {
    it.each([
      ["a webhook accepted 50 ms before a kill makes the order after the restart", "interrupted", 5_000],
      ["a payment that could not be read for a minute makes the order after the outage", "unreadable", 5_000],
      ["a payment without webhook and returning shopper makes the order by a job alone", "unreported", 9.9],
    ] as const)("%s", async (_, which, total) => {
      const { probe } = fixture();
      const { cartId, collectionId } = started()[which];
      const { orderId } = await probe.orderOf(cartId);
      expect(await probe.orders(cartId)).toEqual([orderId]);
      expect(await probe.captures(collectionId)).toEqual([total]);
    });

    it("a payment for a changed cart is refunded automatically, once, after a restart with autoRefund", async () => {
      const { shopper, sandbox, probe } = fixture();
      await fixture().stop();
      await fixture().restart({ TILLKIT_AUTO_REFUND: "duplicate,order_gone,order_not_payable" });
      const cart = await shopper.fillCart("xof", "shea-butter");
      const old = startedPaymentOf(cart.id, await expectOk(shopper.createPaymentSession(cart.id)));
      await shopper.changeQuantity(cart, 2);
      await expectOk(shopper.createPaymentSession(cart.id));
      await sandbox.control.paySession(old.checkoutId, { method: "card", outcome: "completed" });
      await waitUntil(
        () => probe.refunds(old.checkoutId),
        (refunds) => refunds[0]?.status === "completed",
      );
      await fixture().sendWebhook(await fixture().webhookBodyFor(old.checkoutId, { id: randomUUID() }));
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(await probe.refunds(old.checkoutId)).toMatchObject([{ amount: 2_500 }]);
      expect(await probe.orders(cart.id)).toEqual([]);
    });
  });
}
