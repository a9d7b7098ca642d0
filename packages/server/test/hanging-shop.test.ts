import type { Order } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
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
  merchant = await openMerchant({ otherShops: { hanging } });
  const { checkout, clock, ledger, service } = merchant;
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
  await advanceUntil(() => service.calls.read() >= 10);
  const addedAt = clock.now();
  await addConfirmJob(shopOrder);
  await advanceUntil(() => merchant.shop.writes.length > 0);
  expect(merchant.shop.writes).toHaveLength(1);
  expect(clock.now() - addedAt).toBeLessThan(2_000);
  expect(hanging.writes).toEqual([]);

  // All work happens in this process, so it gets turns of the event loop while virtual time passes, however busy the machine is.
  async function advanceUntil(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (!isTrue()) await clock.advance(100);
    }
  }

  async function addConfirmJob({ ref }: Order): Promise<void> {
    const [payment] = await ledger.paymentsOfOrder(ref);
    const job = { kind: "confirm", storeId: ref.storeId, paymentId: payment?.id ?? "", payload: "" } as const;
    await ledger.commit({ jobs: [{ ...job, dueAt: clock.now() }], timeline: [] });
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
