import { createMemoryLedger, type Order, systemClock } from "@tillkit/core";
import { afterEach, expect, test } from "vitest";
import { type MerchantWorld, openMerchantWorld } from "./world/merchant-world.ts";
import { openSmallShop, shopOrder } from "./world/small-shop.ts";

/** More than one round may take of one shop, several times over. */
const ORDERS_OF_THE_HANGING_SHOP = 40;

let world: MerchantWorld;
let comeBack: () => void = () => undefined;
afterEach(async () => {
  comeBack();
  await world.close();
});

test("a shop that hangs for 20 seconds does not delay another shop's order by more than two seconds", async () => {
  const hanging = openSmallShop();
  hanging.hangs = new Promise((resolve) => {
    comeBack = resolve;
  });
  world = await openMerchantWorld({ otherShops: { hanging }, options: { clock: systemClock } });
  const { checkout, ledger, service } = world;
  for (let number = 1; number <= ORDERS_OF_THE_HANGING_SHOP; number += 1) {
    const ref = { storeId: "hanging", orderId: String(number) };
    hanging.order = { ...shopOrder, ref };
    await checkout.startCheckout(hanging.order);
    await lookNowAt(hanging.order);
  }
  await checkout.startCheckout(shopOrder);
  for (const session of service.sessions.values()) session.status = "completed";
  checkout.startTimer();
  // Every call to the shop that hangs is under way before the other shop's shopper has paid.
  await expect.poll(() => service.calls.read(), { timeout: 5_000 }).toBeGreaterThanOrEqual(10);
  const paidAt = Date.now();
  await lookNowAt(shopOrder);
  await expect.poll(() => world.shop.writes, { timeout: 5_000, interval: 20 }).toHaveLength(1);
  expect(Date.now() - paidAt).toBeLessThan(2_000);
  expect(hanging.writes).toEqual([]);

  async function lookNowAt({ ref }: Order): Promise<void> {
    const [payment] = await ledger.siblings(ref);
    const job = { kind: "confirm", storeId: ref.storeId, paymentId: payment?.id ?? "", payload: "" } as const;
    await ledger.commit({ jobs: [{ ...job, dueAt: systemClock.now() }], timeline: [] });
  }
});

test("a job that another process adds starts at once", async () => {
  let hear: () => void = () => undefined;
  const ledger = createMemoryLedger();
  ledger.onNewJobs = (told) => {
    hear = told;
    return () => {
      hear = () => undefined;
    };
  };
  world = await openMerchantWorld({ options: { ledger } });
  world.checkout.startTimer();
  await world.clock.advance(200);
  await ledger.commit({
    jobs: [{ kind: "note", storeId: "boutique", paymentId: "none", payload: "", dueAt: world.clock.now() }],
    timeline: [],
  });
  hear();
  await expect
    .poll(async () => (await ledger.listJobs({ limit: 9 })).rows.map(({ attempts }) => attempts))
    .toEqual([1]);
});
