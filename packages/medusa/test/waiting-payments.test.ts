import { type ConfirmResult, confirmPayment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countToReview, listPayments } from "../src/admin-api/list-payments.ts";
import { toPaymentView } from "../src/admin-api/payment-view.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** A paid cart that Medusa cannot complete: its payment row cannot be written. */
async function payWhileMedusaFails(): Promise<ConfirmResult> {
  const { session } = await fixture.startCheckout();
  const { id } = await fixture.payment(session);
  await fixture.pay(session);
  fixture.medusa.failNextPaymentWrite();
  return await confirmPayment((await fixture.runtime()).engine, id, { actor: "operator" });
}

describe("a received payment whose order is missing", () => {
  it("the answer to the owner's click names what the payment waits for", async () => {
    const { payment, error } = await payWhileMedusaFails();
    expect(payment.state).toBe("verified");
    const runtime = await fixture.runtime();
    const shown = await toPaymentView(runtime, payment, "en", error);
    expect(shown.waiting_for?.text).toContain("Medusa has not completed the cart");
    expect(shown.waiting_for?.retry_at).toBeGreaterThan(Date.now());
    const french = await toPaymentView(runtime, payment, "fr", error);
    expect(french.waiting_for?.text).toContain("Medusa n’a pas encore validé le panier");
  });

  it("the page names what the payment waits for after its job has failed", async () => {
    const { payment } = await payWhileMedusaFails();
    const runtime = await fixture.runtime();
    const [job] = (await runtime.ledger.listJobs({ paymentId: payment.id, limit: 1 })).rows;
    const reason = { kind: "platform_error", code: "not_allowed" } as const;
    const error = { code: "unavailable", message: "A sentence for the log.", reason };
    await runtime.ledger.commit({ retried: [{ id: job?.id ?? "", dueAt: Date.now() + 60_000, error }], timeline: [] });
    const shown = await toPaymentView(runtime, payment, "en");
    expect(shown.waiting_for?.text).toBe("Medusa has not completed the cart (not_allowed). Its log shows the reason.");
  });

  it("a paid cart that has had no order for a minute counts among what waits for a person, like the page lists it", async () => {
    await payWhileMedusaFails();
    const runtime = await fixture.runtime();
    expect(await countToReview(runtime)).toBe(0);
    const { clock } = runtime.engine;
    Object.assign(runtime.engine, { clock: { ...clock, now: () => clock.now() + 61_000 } });
    const { payments } = await listPayments(runtime, { filter: "review", after: undefined, language: "en" });
    expect([await countToReview(runtime), payments.length]).toEqual([1, 1]);
  });

  it("a payment whose order exists waits for nothing", async () => {
    const { session } = await fixture.placePaidOrder();
    const runtime = await fixture.runtime();
    const { id } = await fixture.payment(session);
    const { payment } = await confirmPayment(runtime.engine, id, { actor: "timer" });
    expect((await toPaymentView(runtime, payment, "en")).waiting_for).toBeNull();
  });
});
