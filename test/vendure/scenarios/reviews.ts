import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { waitUntil } from "../probe.ts";
import {
  BASKET_AT_SERVICE,
  expectSettledOnce,
  serviceRefunds,
  waitForReview,
  waitForReviewNote,
  withFault,
} from "../steps.ts";

export function reviews(fixture: () => Fixture): void {
  /** A payment that arrives with one franc less than the order asks. */
  async function payOneLess() {
    const started = await fixture().newShopper().startPayment();
    await fixture().pay(started, "lost");
    const path = `/checkout-sessions/${started.checkoutId}`;
    const reading = { method: "GET", path, patch: { amount: 5_499 }, times: 1_000 } as const;
    return { started, reading };
  }

  describe("a payment that the owner must review", () => {
    it("a payment underpaid by one franc is held, and Vendure shows no payment", async () => {
      const { started, reading } = await payOneLess();
      await withFault(fixture(), reading, async () => {
        await fixture().returnToShop(started.orderCode);
        const [held] = await waitForReview(fixture(), started);
        expect(held).toMatchObject({ state: "review", canAccept: true, refundable: expect.any(String) });
        expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
        expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "ArrangingPayment" });
        await waitForReviewNote(fixture(), started);
      });
    });

    it("an underpaid order is settled once its owner accepts the difference", async () => {
      const { started, reading } = await payOneLess();
      await withFault(fixture(), reading, async () => {
        await fixture().returnToShop(started.orderCode);
        const [held] = await waitForReview(fixture(), started);
        const owner = await fixture().owner();
        await owner.accept(held);
        await expectSettledOnce(fixture(), started.orderCode);
        expect((await owner.paymentsToReview()).map(({ id }) => id)).not.toContain(held?.id);
      });
    });

    it("an owner who saw an earlier difference does not accept the present one", async () => {
      const { started, reading } = await payOneLess();
      await withFault(fixture(), reading, async () => {
        await fixture().returnToShop(started.orderCode);
        const [held] = await waitForReview(fixture(), started);
        const owner = await fixture().owner();
        const accepting = owner.accept(held && { ...held, seen: "amount_differs|5500 XOF|5498 XOF" });
        await expect(accepting).rejects.toThrow(/has changed since you looked/);
        expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "ArrangingPayment" });
      });
    });

    it("two owners who refund a held payment at once send the money back once", async () => {
      const started = await fixture().newShopper().startPayment();
      await started.shopper.moveTo("Cancelled");
      await fixture().pay(started);
      const [held] = await waitForReview(fixture(), started);
      const owners = await Promise.all([fixture().owner(), fixture().owner()]);
      await Promise.all(owners.map((owner) => owner.refundHeld(held).catch(() => null)));
      await waitUntil(
        () => serviceRefunds(fixture(), started.checkoutId),
        (amounts) => amounts.length > 0,
      );
      expect(await serviceRefunds(fixture(), started.checkoutId)).toEqual([BASKET_AT_SERVICE]);
    });

    it("the order's page shows the payment with its timeline", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started);
      await expectSettledOnce(fixture(), started.orderCode);
      const [shown] = await (await fixture().owner()).paymentsOfOrder(started.orderCode);
      expect(shown).toMatchObject({ orderCode: started.orderCode, state: "recorded", refundable: null });
      expect(shown?.timeline.length).toBeGreaterThan(2);
    });
  });
}
