import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Paying } from "../shop.ts";
import type { Stage } from "../stage.ts";

const AT_ONCE = 100;
const WITHIN_MS = 20_000;

/** Everybody at once, and a database that fails. */
export function hardTimes(stage: () => Stage): void {
  describe("hard times", () => {
    it("a hundred webhooks, returning shoppers and jobs on one cart at once: nobody waits for anybody else for ever", async () => {
      const { shopper, probe } = stage();
      const paying = await stage().paidInSilence("xof");
      const startedAt = performance.now();
      const visits = Array.from({ length: AT_ONCE }, async (_, visit) => {
        if (visit % 2 === 0) return (await shopper.complete(paying.cartId)).ms;
        const letter = await stage().letterOf(paying.checkoutId, { id: randomUUID() });
        return (await stage().send(letter)).ms;
      });
      const slowest = Math.max(...(await Promise.all(visits)));
      const { orderId } = await probe.orderWithin(paying.cartId, WITHIN_MS);
      console.log(
        `${AT_ONCE} at once on one cart: the slowest answer after ${seconds(slowest)}, all over after ${seconds(performance.now() - startedAt)}.`,
      );
      expect(slowest).toBeLessThan(WITHIN_MS);
      expect((await shopper.complete(paying.cartId)).body.order?.id).toBe(orderId);
      expect(await probe.orders(paying.cartId)).toEqual([orderId]);
      expect(await probe.captures(paying.collectionId)).toEqual([5_000]);
    });

    it("twenty carts, each with webhook, returning shopper and job at once: each has its order within seconds", async () => {
      const { shopper, probe } = stage();
      const slowest: number[] = [];
      for (let round = 0; round < 2; round += 1) {
        const carts: Paying[] = [];
        for (let cart = 0; cart < 10; cart += 1) carts.push(await stage().paidInSilence("xof"));
        const times = carts.map(async (paying) => {
          const startedAt = performance.now();
          const letter = await stage().letterOf(paying.checkoutId);
          await Promise.all([stage().send(letter), shopper.complete(paying.cartId)]);
          const { orderId } = await probe.orderWithin(paying.cartId, WITHIN_MS);
          expect(await probe.orders(paying.cartId)).toEqual([orderId]);
          expect(await probe.captures(paying.collectionId)).toEqual([5_000]);
          return performance.now() - startedAt;
        });
        slowest.push(Math.max(...(await Promise.all(times))));
      }
      console.log(`Twenty carts, ten at a time: the slowest order after ${seconds(Math.max(...slowest))}.`);
      expect(Math.max(...slowest)).toBeLessThan(WITHIN_MS);
    }, 120_000);

    it("Medusa's own database fails after the payment: the good payment is not given back, and the order comes", async () => {
      const { shopper, probe } = stage();
      const paying = await stage().paidInSilence("usd");
      await stage().sql(refusal(paying.session.id));
      const { body } = await shopper.complete(paying.cartId);
      expect(body.type).not.toBe("order");
      expect(stage().log()).toContain("the disk is full");
      await stage().sql("drop trigger refuse_payment on payment");
      await stage().send(await stage().letterOf(paying.checkoutId));
      await probe.orderWithin(paying.cartId, WITHIN_MS);
      expect(await probe.refunds(paying.checkoutId)).toEqual([]);
      expect(await probe.captures(paying.collectionId)).toEqual([9.9]);
    });
  });
}

/** Medusa's payment row of one session cannot be written. */
function refusal(sessionId: string): string {
  return `
    create or replace function refuse_payment() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$;
    create trigger refuse_payment before insert on payment
      for each row when (new.payment_session_id = '${sessionId}') execute function refuse_payment()`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
