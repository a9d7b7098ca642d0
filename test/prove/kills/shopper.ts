import type { Chance } from "./chance.ts";
import type { StoreKind } from "./shop.ts";
import type { Begun, Shopping, WatchedOrder } from "./shopping.ts";
import { ProcessRefused } from "./till-process.ts";
import { type World, wait } from "./world.ts";

const KINDS = ["read-then-write", "callback", "write-only"] as const satisfies readonly StoreKind[];

/** One order, from the cart to money that goes back; what happens on the way is decided before. */
export async function shopOnce(world: World, shopping: Shopping, chance: Chance): Promise<void> {
  const plan = {
    kind: chance.pick(KINDS),
    edits: chance.happens(0.15),
    tabs: chance.happens(0.2),
    failsFirst: chance.happens(0.15),
    pending: chance.happens(0.15),
    returns: chance.happens(0.4),
    paysEarlier: chance.happens(0.15),
    refunds: chance.happens(0.2),
  };
  const order = await shopping.place(plan.kind);
  let begun = await shopping.mustPress(order);
  if (plan.tabs) await Promise.all([shopping.press(order), shopping.press(order)]);
  if (plan.edits) {
    const earlier = begun;
    await shopping.edit(order, 6_000);
    begun = await shopping.mustPress(order);
    if (plan.paysEarlier) await payIfOpen(shopping, earlier);
  }
  if (plan.failsFirst) await shopping.pay(begun, "failed");
  if (!(await pay(world, shopping, begun, plan.pending))) return;
  if (plan.returns) await shopping.follow(begun, "success_url");
  if (plan.refunds) await askForMoney(world, order, begun);
}

/** The earlier payment may be the one that counts: then there is nothing to pay here. */
async function pay(world: World, shopping: Shopping, begun: Begun, pending: boolean): Promise<boolean> {
  const transaction = await shopping.pay(begun, pending ? "pending" : "completed").catch(() => null);
  if (transaction === null) return false;
  if (pending) await world.sandbox.control.completeTransaction(transaction);
  return true;
}

async function payIfOpen(shopping: Shopping, begun: Begun): Promise<void> {
  await shopping.pay(begun).catch(() => undefined);
}

/** The shop's refund button, clicked again with the same key until there is an answer. Before the money arrived it is refused. */
async function askForMoney(world: World, order: WatchedOrder, { paymentId }: Begun): Promise<void> {
  const wish = { paymentId, key: `refund-${order.ref.orderId}`, amount: { minor: 1_000, currency: "XOF" } } as const;
  for (let click = 0; click < 20; click += 1) {
    try {
      await world.ask("refund", { ...wish, origin: "store" });
      return;
    } catch (error) {
      if (!(error instanceof ProcessRefused)) throw error;
    }
    await wait(20);
  }
}
