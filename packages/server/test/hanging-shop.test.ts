import { createMemoryLedger, type Order, systemClock } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { openSmallShop, shopOrder } from "./fixtures/small-shop.ts";

/** Several times as many orders as one round of the timer takes from one shop. */
const ORDERS_OF_THE_HANGING_SHOP = 40;

let merchant: MerchantFixture;
let endHanging: () => void = () => undefined;
afterEach(async () => {
  endHanging();
  await merchant.close();
});

test("a shop that hangs for 20 seconds does not delay another shop's order by more than two seconds", async () => {
  const hanging = openSmallShop();
  hanging.markPaidGate = new Promise((resolve) => {
    endHanging = resolve;
  });
  merchant = await openMerchant({ otherShops: { hanging }, options: { clock: systemClock } });
  const { checkout, ledger, service } = merchant;
  for (let number = 1; number <= ORDERS_OF_THE_HANGING_SHOP; number += 1) {
    const ref = { storeId: "hanging", orderId: String(number) };
    hanging.order = { ...shopOrder, ref };
    await checkout.startCheckout(hanging.order);
    await addConfirmJob(hanging.order);
  }
  await checkout.startCheckout(shopOrder);
  for (const session of service.sessions.values()) session.status = "completed";
  checkout.startTimer();
  // All calls to the hanging shop are under way before the other shop's order is paid.
  await expect.poll(() => service.calls.read(), { timeout: 5_000 }).toBeGreaterThanOrEqual(10);
  const paidAt = Date.now();
  await addConfirmJob(shopOrder);
  await expect.poll(() => merchant.shop.writes, { timeout: 5_000, interval: 20 }).toHaveLength(1);
  expect(Date.now() - paidAt).toBeLessThan(2_000);
  expect(hanging.writes).toEqual([]);

  async function addConfirmJob({ ref }: Order): Promise<void> {
    const [payment] = await ledger.paymentsOfOrder(ref);
    const job = { kind: "confirm", storeId: ref.storeId, paymentId: payment?.id ?? "", payload: "" } as const;
    await ledger.commit({ jobs: [{ ...job, dueAt: systemClock.now() }], timeline: [] });
  }
});

test("a job that another process adds starts at once", async () => {
  let notifyListener: () => void = () => undefined;
  const ledger = createMemoryLedger();
  ledger.onNewJobs = (listener) => {
    notifyListener = listener;
    return () => {
      notifyListener = () => undefined;
    };
  };
  merchant = await openMerchant({ options: { ledger } });
  merchant.checkout.startTimer();
  await merchant.clock.advance(200);
  await ledger.commit({
    jobs: [{ kind: "note", storeId: "boutique", paymentId: "none", payload: "", dueAt: merchant.clock.now() }],
    timeline: [],
  });
  notifyListener();
  await expect
    .poll(async () => (await ledger.listJobs({ limit: 9 })).rows.map(({ attempts }) => attempts))
    .toEqual([1]);
});
