import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

const HOURS_MS = 30 * 3_600_000;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.close();
});

describe("a worker that sleeps while it completes a cart", () => {
  it("does not begin the workflow after the last moment for its write", async () => {
    const { receipt, store } = await paidCheckout();
    sleepBefore("query", "graph");
    await expect(store.markPaid(receipt)).rejects.toMatchObject({ code: "unavailable" });
    expect(fixture.medusa.tables.payments).toEqual([]);
    expect(fixture.medusa.providerCalls.authorizePayment ?? 0).toBe(0);
  });

  it("does not confirm the payment to Medusa after the last moment for its write, and the next try does", async () => {
    const { cart, receipt, store } = await paidCheckout();
    const wake = sleepBefore("workflows", "run");
    await expect(store.markPaid(receipt)).rejects.toMatchObject({ code: "unavailable" });
    expect(fixture.medusa.tables.payments).toEqual([]);
    wake();
    expect(await store.markPaid(receipt)).toMatchObject({ outcome: "recorded" });
    expect(fixture.medusa.tables.orders.map(({ cartId }) => cartId)).toEqual([cart.id]);
  });
});

describe("a worker that sleeps while Medusa asks it how the shopper paid", () => {
  it("does not confirm the payment to Medusa, because the last moment for its write has passed", async () => {
    const { receipt, store } = await paidCheckout();
    const { engine } = await fixture.runtime();
    const realNow = Date.now.bind(Date);
    let sleptMs = 0;
    vi.spyOn(Date, "now").mockImplementation(() => realNow() + sleptMs);
    vi.spyOn(engine.transactionCache, "read").mockImplementation(async () => {
      sleptMs = HOURS_MS;
      return { provider: "WAVE" };
    });
    await expect(store.markPaid(receipt)).rejects.toMatchObject({ code: "unavailable" });
    expect(sleptMs).toBe(HOURS_MS);
    expect(fixture.medusa.tables.payments).toEqual([]);
  });
});

describe("a worker that sleeps while it records a refund of the service's dashboard", () => {
  it("records nothing after the last moment for its write, and the next try records it once", async () => {
    const { payment } = await fixture.placePaidOrder();
    const { store, ledger } = await fixture.runtime();
    const { id: paymentId, ref, attempt } = (await ledger.find({ id: String(payment.data.payment_id) })) ?? {};
    if (!paymentId || !ref || attempt === undefined) throw new Error("The ledger has no payment.");
    const amount = { minor: 280, currency: "USD" } as const;
    const refund = { paymentId, refundId: "re_1", key: "key", ref, attempt, amount, status: "completed" } as const;
    const wake = sleepBefore("workflows", "run");
    await expect(store.recordRefund?.(refund)).rejects.toMatchObject({ code: "unavailable" });
    expect(payment.refunds).toEqual([]);
    wake();
    expect(await store.recordRefund?.(refund)).toMatchObject({ outcome: "recorded" });
    expect(payment.refunds).toHaveLength(1);
  });
});

async function paidCheckout() {
  const checkout = await fixture.startCheckout();
  await fixture.pay(checkout.session);
  const { store } = await fixture.runtime();
  const { id: paymentId, ref, attempt, amountDue, session } = await fixture.payment(checkout.session);
  const receipt = {
    ...{ ref, attempt, paymentId, paid: amountDue, total: amountDue, fence: 1 },
    ...{ sessionId: session?.id ?? "", transactionId: null, environment: "test" as const },
  };
  return { ...checkout, receipt, store };
}

/** The machine sleeps before the next call of this function of Medusa. The returned function lets it work again. */
function sleepBefore(name: string, method: string): () => void {
  const registration = fixture.medusa.container.resolve(name) as Record<string, (...input: unknown[]) => unknown>;
  const realNow = Date.now.bind(Date);
  let sleptMs = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + sleptMs);
  const original = registration[method]?.bind(registration);
  const call = vi.spyOn(registration, method).mockImplementation((...input) => {
    sleptMs = HOURS_MS;
    return original?.(...input);
  });
  return () => {
    clock.mockRestore();
    call.mockRestore();
  };
}
