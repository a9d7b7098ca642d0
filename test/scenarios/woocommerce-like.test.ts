import { describe, expect, it } from "vitest";
import { expectPaymentIn, LEDGERS, openFixture, SECOND } from "./fixture.ts";

describe.each(LEDGERS)("a WooCommerce-like shop, with the ledger in %s", (ledger) => {
  it.each([16, 60, 115])(
    "1 · stock is taken once when a WooCommerce-like PUT times out, the process is killed and the PUT lands late (after %i s)",
    async (seconds) => {
      const fixture = await openFixture("read-then-write", { ledger });
      const placed = await fixture.placeOrder();
      const payment = await fixture.startCheckout(placed);
      fixture.store.failNextWrite({ lateMs: seconds * SECOND });
      await fixture.deliver(fixture.service.pay(payment));
      await fixture.run(3 * SECOND);
      // The start of the write was committed before the write was sent; the process that sent it is dead.
      expect((await fixture.payment(payment.id)).storeWriteAt).not.toBeNull();
      fixture.crash();
      await fixture.run(300 * SECOND);
      expect(fixture.store.probe.effects()).toMatchObject([{ paymentId: payment.id }]);
      await expectPaymentIn(fixture, placed, "recorded");
    },
  );
});
