import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { good } from "../http.ts";
import { until } from "../probe.ts";
import { type Paying, payingOf } from "../shop.ts";
import type { Stage } from "../stage.ts";

const MINUTE = 60_000;

/** Payments that take their time: begun before all other stories, and looked at after them. */
export type LongWaits = {
  /** The power failed 50 ms after its webhook was taken. */
  readonly powerless: Paying;
  /** Paid; no webhook, and nobody came back. */
  readonly forgotten: Paying;
  /** Paid and told, while the service answers nothing about it for a minute. */
  readonly unreadable: Paying;
};

export async function beginLongWaits(stage: Stage): Promise<LongWaits> {
  const { sandbox, shopper } = stage;
  const powerless = await stage.paidInSilence("xof");
  await stage.send(await stage.letterOf(powerless.checkoutId));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await stage.kill();
  await stage.restart();

  const forgotten = await stage.paidInSilence("usd");

  const unreadable = await shopper.goToPay("xof");
  const path = `/checkout-sessions/${unreadable.checkoutId}`;
  const down = { method: "GET", path, status: 503, times: 1_000_000 } as const;
  void stage.during(down, () => new Promise((resolve) => setTimeout(resolve, MINUTE)));
  await sandbox.control.paySession(unreadable.checkoutId, { method: "wave", outcome: "completed" });
  return { powerless, forgotten, unreadable };
}

export function longWaits(stage: () => Stage, begun: () => LongWaits): void {
  describe("after a while", () => {
    it.each([
      ["the power failed 50 ms after a webhook was taken: after the start the order is there", "powerless", 5_000],
      ["the service was down for a minute: the order is there soon after it is back", "unreadable", 5_000],
      ["neither webhook nor shopper came: the job alone makes the order", "forgotten", 9.9],
    ] as const)(
      "%s",
      async (_, which, total) => {
        const { probe } = stage();
        const { cartId, collectionId } = begun()[which];
        const { orderId } = await probe.orderWithin(cartId, 4 * MINUTE);
        expect(await probe.orders(cartId)).toEqual([orderId]);
        expect(await probe.captures(collectionId)).toEqual([total]);
      },
      5 * MINUTE,
    );

    it('and a restart with the policy "refund": money of a changed cart goes back by itself, once', async () => {
      const { shopper, sandbox, probe } = stage();
      await stage().stop();
      await stage().restart({ TILLKIT_AUTO_REFUND: "duplicate,order_gone,order_not_payable" });
      const cart = await shopper.fillCart("xof", "shea-butter");
      const old = payingOf(cart.id, await good(shopper.pressPay(cart.id)));
      await shopper.changeQuantity(cart, 2);
      await good(shopper.pressPay(cart.id));
      await sandbox.control.paySession(old.checkoutId, { method: "card", outcome: "completed" });
      await until(
        () => probe.refunds(old.checkoutId),
        (refunds) => refunds[0]?.status === "completed",
        20_000,
      );
      await stage().send(await stage().letterOf(old.checkoutId, { id: randomUUID() }));
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(await probe.refunds(old.checkoutId)).toMatchObject([{ amount: 2_500 }]);
      expect(await probe.orders(cart.id)).toEqual([]);
    });
  });
}
