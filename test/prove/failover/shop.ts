import { setTimeout as sleep } from "node:timers/promises";
import { createServiceClient } from "@tillkit/client";
import { money, type Payment, refundPayment } from "@tillkit/core";
import type { Ledger } from "@tillkit/ledger";
import { createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { PATIENCE_MS } from "../../waiting/patience.ts";

const ORDERS = 3;
const TOTAL = 5_000;
const PAUSE_MS = 50;

/** A shop whose orders are paid and refunded while the machine of its ledger dies. */
export type Shop = {
  /** Shoppers pay, and the merchant refunds orders that were paid before. Failed calls are repeated, as by people and jobs. */
  payAndRefund(): Promise<void>;
  /** What was paid or refunded more than once, or never. */
  violations(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export async function openShop(ledger: Ledger): Promise<Shop> {
  const harness = await createCheckoutHarness({ store: "read-then-write", ledger });
  const { store, sandbox } = harness;
  const openCheckouts = async () => {
    const payments: Payment[] = [];
    for (let number = 0; number < ORDERS; number += 1) {
      const order = { total: money(TOTAL, "XOF"), title: "Hat", language: "en" } as const;
      payments.push(await harness.startCheckout(await store.placeOrder(order)));
    }
    return payments;
  };
  const pay = ({ session }: Payment) =>
    sandbox.control.paySession(session?.id ?? "", { method: "wave", outcome: "completed" });
  const isRecorded = async ({ id }: Payment) => (await harness.payment(id)).state === "recorded";
  const isRefunded = async ({ id }: Payment) => (await harness.payment(id)).state === "refunded";

  const toRefund = await openCheckouts();
  for (const payment of toRefund) await pay(payment);
  await untilEach(toRefund, isRecorded);
  const toPay = await openCheckouts();

  async function untilEach(
    payments: readonly Payment[],
    isDone: (payment: Payment) => Promise<boolean>,
  ): Promise<void> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    while (
      !(await Promise.all(payments.map(isDone)).then(
        (all) => all.every(Boolean),
        () => false,
      ))
    ) {
      if (Date.now() > giveUpAt) throw new Error("The orders were not settled within four minutes.");
      // A worker that lost its ledger holds leases, which end as time passes.
      await harness.advanceTime(1_000).catch(() => sleep(PAUSE_MS));
    }
  }

  async function refund({ id }: Payment): Promise<void> {
    for (const giveUpAt = Date.now() + PATIENCE_MS; ; ) {
      try {
        await refundPayment(harness.engine(), {
          paymentId: id,
          key: `refund of ${id}`,
          amount: money(TOTAL, "XOF"),
          origin: "store",
        });
        return;
      } catch (error) {
        if (Date.now() > giveUpAt) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  return {
    async payAndRefund() {
      await Promise.all([
        ...toRefund.map(refund),
        Promise.all(toPay.map(pay)).then(() => untilEach(toPay, isRecorded)),
      ]);
      // A refund whose answer was lost with its ledger is sent again by its job.
      await untilEach(toRefund, isRefunded);
    },
    async violations() {
      const settled = [...toRefund, ...toPay];
      const effects = settled.map(
        ({ ref }) => [`order ${ref.orderId}`, store.probe.effects(ref.orderId).length] as const,
      );
      const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
      const { data } = await service.refunds.list({ limit: 100 });
      const refunded = data.items.reduce((sum, refund) => sum + (refund.amount ?? 0), 0);
      const expected = ORDERS * TOTAL;
      return [
        ...effects.filter(([, count]) => count !== 1).map(([order, count]) => `${order} was paid ${count} times.`),
        ...(refunded === expected ? [] : [`${refunded} XOF were refunded instead of ${expected} XOF.`]),
      ];
    },
    close: () => harness.close(),
  };
}
