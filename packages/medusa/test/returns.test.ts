import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handleReturn } from "../src/handle-return.ts";
import { checkoutUrlOf, completeCheckout, isActiveSession, redirectToCheckout } from "../src/storefront.ts";
import type { FakeSession } from "./fake-medusa/tables.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

async function tokenOf(session: FakeSession): Promise<string> {
  const { success_url: url } = JSON.parse((await fixture.payment(session)).request);
  return new URL(url).searchParams.get("tillkit") ?? "";
}

const returnWith = async (token: string) => handleReturn(await fixture.runtime(), token, { isRepeated: false });

/** The storefront asks again while the order is being placed. */
const returnAgainWith = async (token: string) => handleReturn(await fixture.runtime(), token, { isRepeated: true });

describe("a returning shopper", () => {
  it("the return link alone, without a cookie, leads to the order", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const answer = await returnWith(await tokenOf(session));
    expect(answer).toEqual({ status: "paid", order_id: fixture.medusa.tables.orders[0]?.id });
    expect(await returnAgainWith(await tokenOf(session))).toEqual(answer);
  });

  it("a shopper who has not paid is answered waiting, and no order is placed", async () => {
    const { session } = await fixture.startCheckout();
    expect(await returnWith(await tokenOf(session))).toEqual({ status: "waiting", order_id: null });
    expect(fixture.medusa.tables.orders).toEqual([]);
  });

  it("a shopper whose order is leased by a process that died gets the order at once", async () => {
    const { session } = await fixture.startCheckout();
    const { ref } = await fixture.payment(session);
    await fixture.pay(session);
    const { ledger, engine } = await fixture.runtime();
    await ledger.lockOrder(ref, "a process that died", engine.clock.now(), 60_000);
    const answer = await returnWith(await tokenOf(session));
    expect(answer).toEqual({ status: "paid", order_id: fixture.medusa.tables.orders[0]?.id });
    expect(fixture.medusa.tables.payments.map(({ captures }) => captures)).toEqual([1]);
  });

  it("a shopper who has not paid completes no cart while another process holds the order", async () => {
    const { session } = await fixture.startCheckout();
    const { ref } = await fixture.payment(session);
    const { ledger, engine } = await fixture.runtime();
    await ledger.lockOrder(ref, "another process", engine.clock.now(), 60_000);
    expect(await returnWith(await tokenOf(session))).toEqual({ status: "waiting", order_id: null });
    expect([fixture.medusa.tables.orders, fixture.medusa.providerCalls.authorizePayment]).toEqual([[], undefined]);
  });

  it("a forged link is answered unknown", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const token = await tokenOf(session);
    const [id, expiry] = token.split(".");
    const withOtherSignature = `${id}.${expiry}.${"A".repeat(43)}`;
    const withOtherId = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    for (const forged of ["", "x", withOtherSignature, withOtherId]) {
      expect(await returnWith(forged)).toEqual({ status: "unknown", order_id: null });
    }
  });

  it("a shopper is answered waiting, not failed, during an outage of the service", async () => {
    const { session } = await fixture.startCheckout();
    await fixture.sandbox.control.addFault({ method: "GET", path: "/checkout-sessions/{id}", status: 400, times: 9 });
    expect((await returnWith(await tokenOf(session))).status).toBe("waiting");
  });
});

describe("the storefront helper", () => {
  const requestedUrls: string[] = [];
  /** Medusa gives these answers in turn. Undefined, and every request after the last answer, is a request that fails. */
  const options = (answers: unknown[]) => ({
    token: "a.1.b",
    backendUrl: "https://medusa.example/",
    publishableKey: "pk_1",
    sleep: async () => {},
    fetch: (async (url: string) => {
      requestedUrls.push(url);
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError("fetch failed");
      return { json: async () => answer } as Response;
    }) as typeof fetch,
  });
  beforeEach(() => {
    requestedUrls.length = 0;
  });

  it("completeCheckout repeats its request until the order exists, also after a failed request", async () => {
    const answers = [{ status: "waiting", order_id: null }, undefined, { status: "paid", order_id: "order_1" }];
    expect(await completeCheckout(options(answers))).toEqual({ status: "paid", orderId: "order_1" });
    expect(requestedUrls).toEqual([
      "https://medusa.example/store/tillkit/returns/a.1.b",
      "https://medusa.example/store/tillkit/returns/a.1.b?again",
      "https://medusa.example/store/tillkit/returns/a.1.b?again",
    ]);
  });

  it.each(["", "medusa.example", "/store", undefined])(
    "completeCheckout throws without Medusa's address, and does not report an unpaid payment: %s",
    async (backendUrl) => {
      const call = completeCheckout({ ...options([]), backendUrl: backendUrl as string });
      await expect(call).rejects.toThrow("NEXT_PUBLIC_MEDUSA_BACKEND_URL");
      expect(requestedUrls).toEqual([]);
    },
  );

  it("completeCheckout stops after waitMs and answers waiting when Medusa does not answer", async () => {
    expect(await completeCheckout({ ...options([]), waitMs: 6_000 })).toEqual({ status: "waiting" });
    expect(requestedUrls).toHaveLength(4);
  });

  it.each(["held", "expired", "refunded", "unknown"] as const)(
    "completeCheckout answers at once that a payment is %s",
    async (status) => {
      expect(await completeCheckout(options([{ status, order_id: null }]))).toEqual({ status });
      expect(requestedUrls).toHaveLength(1);
    },
  );

  it("a storefront keeps a session until its page expires, and then creates another one", () => {
    const at = (ms: number) => ({ expires_at: new Date(Date.now() + ms).toISOString() });
    expect(isActiveSession({ status: "requires_more", data: at(60_000) })).toBe(true);
    expect(isActiveSession({ status: "requires_more", data: at(-1_000) })).toBe(false);
    expect(isActiveSession({ status: "requires_more", data: {} })).toBe(false);
    expect([isActiveSession({ status: "pending" }), isActiveSession({ status: "error" })]).toEqual([true, false]);
  });

  it("redirectToCheckout opens the hosted page and throws without a session", async () => {
    const { session } = await fixture.startCheckout();
    const cart = {
      payment_collection: { payment_sessions: [{ provider_id: session.providerId, data: session.data }] },
    };
    const visited: string[] = [];
    redirectToCheckout(cart, (url) => visited.push(url));
    expect(visited).toEqual([session.data.checkout_url]);
    expect(checkoutUrlOf({ payment_collection: null })).toBeNull();
    expect(() => redirectToCheckout({}, () => {})).toThrow("Choose the payment method again");
  });
});
