import { type Ledger, money, runDue } from "@tillkit/core";
import type { Delivery } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { expect, it } from "vitest";

const DAY_MS = 86_400_000;

/** Tests on one engine: a webhook that arrives again after the history of its payment was archived has no effect. */
export function archivedPaymentsStayAsTheyAre(where: string, newUrl: () => string): void {
  it(`a webhook that is repeated after its payment was archived has no effect ${where}`, async () => {
    const ledger = await openLedger(newUrl());
    const harness = await createCheckoutHarness({ store: "callback", ledger });
    const { id } = await pay(harness);
    await harness.advanceTime(40 * DAY_MS);
    const [delivery] = await deliveriesOf(ledger, id);
    expect(delivery).toBeDefined();
    const before = await stateOf(harness, id);
    expect(before.effects).toHaveLength(1);
    expect(await archive(harness, ledger)).toBe(1);
    expect(await deliveriesOf(ledger, id)).toEqual([]);

    const timeline = await ledger.timeline({ paymentId: id });
    expect(timeline.map(({ kind }) => kind)).toEqual(["archived"]);
    // The second copy adds no job, because the first copy is stored by then.
    for (const jobs of [1, 0]) {
      await ledger.receive(delivery ? [{ ...delivery, receivedAt: harness.clock.now() }] : []);
      expect((await runDue(harness.engine())).done).toBe(jobs);
    }
    await harness.advanceTime(DAY_MS);
    expect(await stateOf(harness, id)).toEqual(before);
    expect(await ledger.timeline({ paymentId: id })).toEqual(timeline);
    await harness.close();
    await ledger.close();
  });
}

async function pay(harness: CheckoutHarness) {
  const order = { total: money(5_000, "XOF"), title: "Two baskets", language: "en" } as const;
  const payment = await harness.startCheckout(await harness.store.placeOrder(order));
  await harness.sandbox.control.paySession(payment.session?.id ?? "", { method: "wave", outcome: "completed" });
  await harness.runUntil(async () => (await harness.payment(payment.id)).state === "recorded");
  return payment;
}

async function archive({ clock }: CheckoutHarness, ledger: Ledger): Promise<number> {
  const now = clock.now();
  const request = { before: now - 30 * DAY_MS, at: now, name: "archive.jsonl.gz", limit: 100, write: async () => {} };
  let payments = 0;
  let after: string | null = null;
  do {
    const archived = await ledger.archive(after === null ? request : { ...request, after });
    payments += archived.payments;
    after = archived.next;
  } while (after !== null);
  return payments;
}

async function deliveriesOf(ledger: Ledger, paymentId: string): Promise<readonly Delivery[]> {
  const { rows } = await ledger.listDeliveries({ paymentId, limit: 9 });
  const stored = await Promise.all(rows.map(({ endpointId, digest }) => ledger.delivery(endpointId, digest)));
  return stored.filter((delivery) => delivery !== null);
}

/** What a repeated webhook must not change: the payment, what the shop did, and the number of calls to the service. */
async function stateOf({ payment, store, sandbox }: CheckoutHarness, id: string) {
  const found = await payment(id);
  return {
    payment: found,
    effects: store.probe.effects(found.ref.orderId),
    notes: await store.probe.notes(found.ref.orderId),
    calls: sandbox.control.listRequests().length,
  };
}
