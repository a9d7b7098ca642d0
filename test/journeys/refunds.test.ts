import { randomUUID } from "node:crypto";
import { refundPayment, syncRefunds } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Begun, KINDS, openWorld, type World } from "./world.ts";

describe.each(KINDS)("giving money back to the shopper of a shop that is %s", (kind) => {
  let world: World;
  let begun: Begun;
  beforeEach(async () => {
    world = await openWorld(kind);
    begun = await world.pressPay(await world.placeOrder({ minor: 1999, currency: "USD" }));
    await world.pay(begun, { method: "card" });
    await world.until(async () => expect((await world.payment(begun.paymentId)).state).toBe("recorded"));
  });
  afterEach(async () => {
    await world.close();
  });

  const refund = (minor: number, key: string) =>
    refundPayment(world.till().engine, {
      paymentId: begun.paymentId,
      key,
      amount: { minor, currency: "USD" },
      origin: "store",
    });

  async function api(path: string, init: RequestInit = {}) {
    const response = await fetch(`${world.sandbox.baseUrl}${path}`, {
      ...init,
      headers: {
        "X-API-Key": world.sandbox.keys.test.secret,
        "Content-Type": "application/json",
        "Idempotency-Key": randomUUID(),
      },
    });
    return (await response.json()) as { data?: { amount: number }[]; refunded_amount?: number; status?: string };
  }

  async function givenBack(): Promise<number> {
    const { transactionId } = await world.payment(begun.paymentId);
    return (await api(`/transactions/${transactionId}`)).refunded_amount ?? 0;
  }

  it("in awkward parts, to the cent, until all of it is back", async () => {
    expect(await refund(280, "first")).toMatchObject({ state: "completed" });
    expect(await refund(10, "second")).toMatchObject({ state: "completed" });
    expect(await givenBack()).toBe(290);
    expect(await refund(1709, "rest")).toMatchObject({ state: "completed" });
    expect((await world.payment(begun.paymentId)).state).toBe("refunded");
    await expect(refund(1, "more")).rejects.toMatchObject({ code: "refund_not_possible" });
  });

  it("once, although the connection broke after the service had done it and the shop clicked again", async () => {
    await world.loseWebhooks();
    const fault = { method: "POST", path: "/refunds", when: "after", times: 1_000, reset: true };
    await world.control("POST", "faults", fault);
    expect(await refund(500, "ref_1")).toMatchObject({ state: "unknown" });
    await world.control("DELETE", "faults");
    expect(await refund(500, "ref_2")).toMatchObject({ state: "completed", key: "ref_1" });
    expect(await givenBack()).toBe(500);
  });

  it("through the two steps of a service that wants a confirmation", async () => {
    await world.control("PATCH", "settings", { confirmation: "required" });
    expect(await refund(1999, "all")).toMatchObject({ state: "completed" });
    expect(await givenBack()).toBe(1999);
  });

  it("in the service's dashboard: the event alone makes it known", async () => {
    const { transactionId } = await world.payment(begun.paymentId);
    const body = JSON.stringify({ transaction_id: transactionId, amount: 1999 });
    expect(await api("/refunds", { method: "POST", body })).toMatchObject({ status: "completed" });
    await world.until(async () => expect((await world.payment(begun.paymentId)).state).toBe("refunded"));
  });

  it("in the service's dashboard, with the event lost: reading makes it known", async () => {
    await world.loseWebhooks();
    const { transactionId } = await world.payment(begun.paymentId);
    await api("/refunds", { method: "POST", body: JSON.stringify({ transaction_id: transactionId, amount: 700 }) });
    const refunds = await syncRefunds(world.till().engine, begun.paymentId);
    expect(refunds).toMatchObject([{ origin: "service", state: "completed", amount: { minor: 700, currency: "USD" } }]);
    expect((await world.payment(begun.paymentId)).state).toBe("recorded");
  });
});
