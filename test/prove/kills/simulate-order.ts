import type { CaseRandom } from "./case-random.ts";
import { type KillFixture, wait } from "./fixture.ts";
import { RequestRejected } from "./server-process.ts";
import type { StoreKind } from "./shop.ts";
import type { ShopActions, StartedPayment, TrackedOrder } from "./shop-actions.ts";

const KINDS = ["read-then-write", "callback", "write-only"] as const satisfies readonly StoreKind[];

/** Simulates one order from the cart to the refund. The random plan is drawn first. */
export async function simulateOrder(fixture: KillFixture, actions: ShopActions, random: CaseRandom): Promise<void> {
  const plan = {
    kind: random.pick(KINDS),
    isEdited: random.happens(0.15),
    opensTabs: random.happens(0.2),
    failsFirst: random.happens(0.15),
    isPending: random.happens(0.15),
    returnsToShop: random.happens(0.4),
    paysEarlierSession: random.happens(0.15),
    isRefunded: random.happens(0.2),
  };
  const order = await actions.place(plan.kind);
  let payment = await actions.requirePayment(order);
  if (plan.opensTabs) await Promise.all([actions.startPayment(order), actions.startPayment(order)]);
  if (plan.isEdited) {
    const earlier = payment;
    await actions.edit(order, 6_000);
    payment = await actions.requirePayment(order);
    if (plan.paysEarlierSession) await payIfOpen(actions, earlier);
  }
  if (plan.failsFirst) await actions.pay(payment, "failed");
  if (!(await pay(fixture, actions, payment, plan.isPending))) return;
  if (plan.returnsToShop) await actions.openLink(payment, "success_url");
  if (plan.isRefunded) await requestRefund(fixture, order, payment);
}

/** Returns whether the payment was paid. It cannot be paid if an earlier payment has already paid the order. */
async function pay(
  fixture: KillFixture,
  actions: ShopActions,
  payment: StartedPayment,
  pending: boolean,
): Promise<boolean> {
  const transaction = await actions.pay(payment, pending ? "pending" : "completed").catch(() => null);
  if (transaction === null) return false;
  if (pending) await fixture.sandbox.control.completeTransaction(transaction);
  return true;
}

async function payIfOpen(actions: ShopActions, payment: StartedPayment): Promise<void> {
  await actions.pay(payment).catch(() => undefined);
}

/** Clicks the shop's refund button with the same key until there is an answer. Clicks are rejected until the payment has arrived. */
async function requestRefund(fixture: KillFixture, order: TrackedOrder, { paymentId }: StartedPayment): Promise<void> {
  const request = { paymentId, key: `refund-${order.ref.orderId}`, amount: { minor: 1_000, currency: "XOF" } } as const;
  for (let click = 0; click < 20; click += 1) {
    try {
      await fixture.request("refund", { ...request, origin: "store" });
      return;
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error;
    }
    await wait(20);
  }
}
