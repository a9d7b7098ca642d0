import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ScenarioFixture } from "../scenario-fixture.ts";
import type { StartedPayment } from "../shopper.ts";

const AT_ONCE = 100;

/** Many requests at once, and a database that fails. */
export function loadAndFailures(fixture: () => ScenarioFixture): void {
  describe("load and failures", () => {
    it("a hundred webhooks and returning shoppers on one cart at once all get an answer, and the cart has one order", async () => {
      const { shopper, probe } = fixture();
      const started = await fixture().payWithoutWebhook("xof");
      const startedAt = performance.now();
      const visits = Array.from({ length: AT_ONCE }, async (_, visit) => {
        if (visit % 2 === 0) return (await shopper.completeCart(started.cartId)).ms;
        const body = await fixture().webhookBodyFor(started.checkoutId, { id: randomUUID() });
        return (await fixture().sendWebhook(body)).ms;
      });
      const slowest = Math.max(...(await Promise.all(visits)));
      const { orderId } = await probe.orderOf(started.cartId);
      console.log(
        `${AT_ONCE} at once on one cart: the slowest answer after ${seconds(slowest)}, all done after ${seconds(performance.now() - startedAt)}.`,
      );
      expect((await shopper.completeCart(started.cartId)).body.order?.id).toBe(orderId);
      expect(await probe.orders(started.cartId)).toEqual([orderId]);
      expect(await probe.captures(started.collectionId)).toEqual([5_000]);
    });

    it("twenty carts with webhook and returning shopper at once have one order and one capture each", async () => {
      const { shopper, probe } = fixture();
      const slowest: number[] = [];
      for (let round = 0; round < 2; round += 1) {
        const carts: StartedPayment[] = [];
        for (let cart = 0; cart < 10; cart += 1) carts.push(await fixture().payWithoutWebhook("xof"));
        const times = carts.map(async (started) => {
          const startedAt = performance.now();
          const body = await fixture().webhookBodyFor(started.checkoutId);
          await Promise.all([fixture().sendWebhook(body), shopper.completeCart(started.cartId)]);
          const { orderId } = await probe.orderOf(started.cartId);
          expect(await probe.orders(started.cartId)).toEqual([orderId]);
          expect(await probe.captures(started.collectionId)).toEqual([5_000]);
          return performance.now() - startedAt;
        });
        slowest.push(Math.max(...(await Promise.all(times))));
      }
      console.log(`Twenty carts, ten at a time: the slowest order after ${seconds(Math.max(...slowest))}.`);
    });

    it("a payment is not refunded when Medusa's database fails after the payment, and the order is created later", async () => {
      const { shopper, probe } = fixture();
      const started = await fixture().payWithoutWebhook("usd");
      await fixture().sql(failingInsert(started.session.id));
      const { body } = await shopper.completeOnce(started.cartId);
      expect(body.type).not.toBe("order");
      expect(fixture().log()).toContain("the disk is full");
      await fixture().sql("drop trigger refuse_payment on payment");
      await fixture().sendWebhook(await fixture().webhookBodyFor(started.checkoutId));
      await probe.orderOf(started.cartId);
      expect(await probe.refunds(started.checkoutId)).toEqual([]);
      expect(await probe.captures(started.collectionId)).toEqual([9.9]);
    });
  });
}

/** SQL that makes the insert of one session's payment row fail. */
function failingInsert(sessionId: string): string {
  return `
    create or replace function refuse_payment() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$;
    create trigger refuse_payment before insert on payment
      for each row when (new.payment_session_id = '${sessionId}') execute function refuse_payment()`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
