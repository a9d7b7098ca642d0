import { randomUUID } from "node:crypto";
import { refundPayment, syncRefunds } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JourneyFixture, KINDS, openFixture, type StartedCheckout } from "./fixture.ts";

describe.each(KINDS)("refunds of a %s shop", (kind) => {
  let fixture: JourneyFixture;
  let checkout: StartedCheckout;
  beforeEach(async () => {
    fixture = await openFixture(kind);
    checkout = await fixture.startCheckout(await fixture.placeOrder({ minor: 1999, currency: "USD" }));
    await fixture.pay(checkout, { method: "card" });
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).state).toBe("recorded"));
  });
  afterEach(async () => {
    await fixture.close();
  });

  const refund = (minor: number, key: string) =>
    refundPayment(fixture.server().engine, {
      paymentId: checkout.paymentId,
      key,
      amount: { minor, currency: "USD" },
      origin: "store",
    });

  async function api(path: string, init: RequestInit = {}) {
    const response = await fetch(`${fixture.sandbox.baseUrl}${path}`, {
      ...init,
      headers: {
        "X-API-Key": fixture.sandbox.keys.test.secret,
        "Content-Type": "application/json",
        "Idempotency-Key": randomUUID(),
      },
    });
    return (await response.json()) as { data?: { amount: number }[]; refunded_amount?: number; status?: string };
  }

  async function refundedAmount(): Promise<number> {
    const { transactionId } = await fixture.payment(checkout.paymentId);
    return (await api(`/transactions/${transactionId}`)).refunded_amount ?? 0;
  }

  it("an order is refunded in uneven parts, to the cent, until it is completely refunded", async () => {
    expect(await refund(280, "first")).toMatchObject({ state: "completed" });
    expect(await refund(10, "second")).toMatchObject({ state: "completed" });
    expect(await refundedAmount()).toBe(290);
    expect(await refund(1709, "rest")).toMatchObject({ state: "completed" });
    expect((await fixture.payment(checkout.paymentId)).state).toBe("refunded");
    await expect(refund(1, "more")).rejects.toMatchObject({ code: "refund_not_possible" });
  });

  it("a refund is made once when its answer is lost and the shop clicks again", async () => {
    await fixture.disableWebhooks();
    const fault = { method: "POST", path: "/refunds", when: "after", times: 1_000, reset: true };
    await fixture.control("POST", "faults", fault);
    expect(await refund(500, "ref_1")).toMatchObject({ state: "unknown" });
    await fixture.control("DELETE", "faults");
    expect(await refund(500, "ref_2")).toMatchObject({ state: "completed", key: "ref_1" });
    expect(await refundedAmount()).toBe(500);
  });

  it("a refund completes through the two steps of a service that requires a confirmation", async () => {
    await fixture.control("PATCH", "settings", { confirmation: "required" });
    expect(await refund(1999, "all")).toMatchObject({ state: "completed" });
    expect(await refundedAmount()).toBe(1999);
  });

  it("a refund from the service's dashboard is recorded by its event alone", async () => {
    const { transactionId } = await fixture.payment(checkout.paymentId);
    const body = JSON.stringify({ transaction_id: transactionId, amount: 1999 });
    expect(await api("/refunds", { method: "POST", body })).toMatchObject({ status: "completed" });
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).state).toBe("refunded"));
  });

  it("a refund from the service's dashboard is recorded by reading when its event is lost", async () => {
    await fixture.disableWebhooks();
    const { transactionId } = await fixture.payment(checkout.paymentId);
    await api("/refunds", { method: "POST", body: JSON.stringify({ transaction_id: transactionId, amount: 700 }) });
    const refunds = await syncRefunds(fixture.server().engine, checkout.paymentId);
    expect(refunds).toMatchObject([{ origin: "service", state: "completed", amount: { minor: 700, currency: "USD" } }]);
    expect((await fixture.payment(checkout.paymentId)).state).toBe("recorded");
  });
});
