import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { waitUntil } from "../probe.ts";
import { buy, expectSettledOnce, serviceRefunds } from "../steps.ts";

/** Vendure works for this long on a webhook before it is killed. */
const KILLED_AFTER_MS = [0, 40, 120];

export function failures(fixture: () => Fixture): void {
  describe("failures of Vendure and its database", () => {
    it("an order whose settlement ends in a deadlock is settled later, once", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      await fixture().sql(failingInsert("deadlock_detected", 2));
      const body = await fixture().webhookBody(started.checkoutId);
      expect(await fixture().sendWebhook(body)).toBe(200);
      await waitUntil(
        async () => fixture().sql("select 1 from refusals"),
        (rows) => rows.length === 2,
      );
      await expectSettledOnce(fixture(), started.orderCode);
      await fixture().sql("drop trigger refuse_payment on payment");
      expect(await fixture().probe.orphans("tillkit")).toBe(0);
    });

    it("a webhook that cannot be stored is answered 5xx, and its redelivery settles the order", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      const body = await fixture().webhookBody(started.checkoutId);
      await fixture().sql("alter table tillkit.tillkit_deliveries rename to tillkit_deliveries_away");
      const status = await fixture().sendWebhook(body);
      await fixture().sql("alter table tillkit.tillkit_deliveries_away rename to tillkit_deliveries");
      expect(status).toBe(503);
      expect(await fixture().sendWebhook(body)).toBe(200);
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("twenty orders with webhook and returning shopper at once are settled once each", async () => {
      const orders = await Promise.all(Array.from({ length: 20 }, () => fixture().newShopper().startPayment()));
      for (const started of orders) await fixture().pay(started, "lost");
      await Promise.all(
        orders.map(async ({ checkoutId, orderCode }) => {
          const body = await fixture().webhookBody(checkoutId);
          await Promise.all([fixture().sendWebhook(body), fixture().returnToShop(orderCode)]);
        }),
      );
      for (const { orderCode } of orders) await expectSettledOnce(fixture(), orderCode);
    });

    it("orders are settled once after the restart, whenever Vendure was killed", async () => {
      for (const killedAfterMs of KILLED_AFTER_MS) {
        const started = await fixture().newShopper().startPayment();
        await fixture().pay(started, "lost");
        await fixture().sendWebhook(await fixture().webhookBody(started.checkoutId));
        await new Promise((resolve) => setTimeout(resolve, killedAfterMs));
        await fixture().kill();
        await fixture().restart();
        await waitUntil(
          () => fixture().probe.order(started.orderCode),
          ({ state }) => state === "PaymentSettled",
        );
        await expectSettledOnce(fixture(), started.orderCode);
      }
      expect(await fixture().probe.orphans("tillkit")).toBe(0);
    });

    it("a second click that waited for a database connection is no second refund", async () => {
      const orders = await Promise.all([1, 2, 3, 4].map(() => buy(fixture())));
      await fixture().stop();
      // Two refunds use both connections, two more wait for them, and the second click on the first refund waits behind all.
      await fixture().restart({ POOL_SIZE: "2" });
      const owner = await fixture().owner();
      await fixture().sandbox.control.addFault({ method: "POST", path: "/refunds", delayMs: 6_000, times: 4 });
      const clicks = [...orders, orders[0]].map(async (order, number) => {
        await new Promise((resolve) => setTimeout(resolve, number * 300));
        return await owner.refund(order?.paymentId ?? 0, 100_000);
      });
      expect(await Promise.all(clicks)).toEqual([null, null, null, null, expect.stringContaining("a moment ago")]);
      await fixture().stop();
      await fixture().restart();
      expect(await serviceRefunds(fixture(), orders[0]?.checkoutId ?? "")).toEqual([1_000]);
    });

    it("a refund during which Vendure is killed is made once and shown without another click", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      const path = "/refunds";
      await fixture().sandbox.control.addFault({ method: "POST", path, when: "after", delayMs: 3_000, times: 1 });
      const clicked = (await fixture().owner()).refund(paymentId, 100_000);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await fixture().kill();
      await clicked;
      await fixture().sandbox.control.clearFaults();
      await fixture().restart();
      expect(await fixture().probe.refunds(orderCode)).toEqual([]);
      await waitUntil(
        () => fixture().probe.refunds(orderCode),
        (refunds) => refunds.length === 1,
      );
      expect(await (await fixture().owner()).refund(paymentId, 100_000)).toContain("has been made");
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([1_000]);
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([{ state: "Settled", total: 100_000 }]);
    });
  });
}

/** SQL that makes the next inserts of a payment fail as PostgreSQL does, and counts them outside of their transactions. */
function failingInsert(condition: string, times: number): string {
  return `
    create sequence if not exists refusal_count;
    create or replace view refusals as
      select generate_series(1, (select case when is_called then least(last_value, ${times}) else 0 end from refusal_count)) as number;
    create or replace function refuse_payment() returns trigger language plpgsql as
      $$ begin
        if nextval('refusal_count') <= ${times} then raise exception using errcode = '${condition}'; end if;
        return new;
      end $$;
    create trigger refuse_payment before insert on payment for each row execute function refuse_payment()`;
}
