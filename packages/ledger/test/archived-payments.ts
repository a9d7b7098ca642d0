import { type Delivery, type Ledger, money, runDue } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { expect, it } from "vitest";

const DAY_MS = 86_400_000;

/** Tests what a webhook does that arrives again after the history of its payment was archived, on one engine. */
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

    const archived = await ledger.timeline({ paymentId: id });
    expect(archived.map(({ kind }) => kind)).toEqual(["archived"]);
    for (let copy = 0; copy < 2; copy += 1) {
      await ledger.receive(delivery ? [{ ...delivery, receivedAt: harness.clock.now() }] : []);
      expect((await runDue(harness.engine())).done).toBe(copy === 0 ? 1 : 0);
    }
    await harness.advanceTime(DAY_MS);
    expect(await stateOf(harness, id)).toEqual(before);
    expect(await ledger.timeline({ paymentId: id })).toEqual(archived);
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
  let payments = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const archived = await ledger.archive({
      before: clock.now() - 30 * DAY_MS,
      at: clock.now(),
      name: "archive.jsonl.gz",
      limit: 100,
      write: async () => {},
      ...(after === undefined ? {} : { after }),
    });
    payments += archived.payments;
    after = archived.next;
  }
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
