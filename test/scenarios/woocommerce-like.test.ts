import { describe, expect, it } from "vitest";
import { LEDGERS, openScene, paymentIn, SECOND } from "./scene.ts";

describe.each(LEDGERS)("a WooCommerce-like shop, with the ledger in %s", (ledger) => {
  it.each([16, 60, 115])(
    "1 · A WooCommerce-like PUT times out, the process is killed, the PUT lands late: stock is taken once (after %i s)",
    async (seconds) => {
      const scene = await openScene("read-then-write", { ledger });
      const placed = await scene.placeOrder();
      const payment = await scene.pressPay(placed);
      scene.store.failNextWrite({ lateMs: seconds * SECOND });
      await scene.deliver(scene.service.pay(payment));
      await scene.run(3 * SECOND);
      // The note of the write was committed before the write left; the process that knew more is dead.
      expect((await scene.payment(payment.id)).storeWriteAt).not.toBeNull();
      scene.kill();
      await scene.run(300 * SECOND);
      expect(scene.store.probe.effects()).toMatchObject([{ paymentId: payment.id }]);
      expect(await paymentIn(scene, placed, "recorded")).toMatchObject({ storeWriteAt: null });
    },
  );
});
