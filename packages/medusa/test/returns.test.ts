import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerReturn } from "../src/returns/answer-return.ts";
import { checkoutUrlOf, completeAfterReturn, redirectToCheckout } from "../src/storefront.ts";
import type { FakeSession } from "./fake-medusa/shop.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

async function tokenOf(session: FakeSession): Promise<string> {
  const { success_url: url } = JSON.parse((await world.payment(session)).request);
  return new URL(url).searchParams.get("tillkit") ?? "";
}

const ask = async (token: string, again = false) => answerReturn(await world.till(), token, again);

describe("a shopper who comes back", () => {
  it("in another browser gets the order, by the link alone", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const answer = await ask(await tokenOf(session));
    expect(answer).toEqual({ say: "paid", order_id: world.medusa.shop.orders[0]?.id });
    expect(await ask(await tokenOf(session), true)).toEqual(answer);
  });

  it("without having paid is told to wait, and nothing is placed", async () => {
    const { session } = await world.beginCheckout();
    expect(await ask(await tokenOf(session))).toEqual({ say: "waiting", order_id: null });
    expect(world.medusa.shop.orders).toEqual([]);
  });

  it("with a link that was made up learns nothing", async () => {
    const { session } = await world.beginCheckout();
    await world.pay(session);
    const token = await tokenOf(session);
    const [id, end] = token.split(".");
    for (const forged of [
      "",
      "x",
      `${id}.${end}.${"A".repeat(43)}`,
      `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`,
    ]) {
      expect(await ask(forged)).toEqual({ say: "unknown", order_id: null });
    }
  });

  it("while the service is away is told to wait, not that the payment failed", async () => {
    const { session } = await world.beginCheckout();
    await world.sandbox.control.addFault({ method: "GET", path: "/checkout-sessions/{id}", status: 400, times: 9 });
    expect((await ask(await tokenOf(session))).say).toBe("waiting");
  });
});

describe("the storefront's helper", () => {
  const asks: string[] = [];
  const options = (answers: unknown[]) => ({
    token: "a.1.b",
    backendUrl: "https://medusa.example/",
    publishableKey: "pk_1",
    sleep: async () => {},
    fetch: (async (url: string) => {
      asks.push(url);
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError("fetch failed");
      return { json: async () => answer } as Response;
    }) as typeof fetch,
  });
  beforeEach(() => {
    asks.length = 0;
  });

  it("asks again until the order is there, through an outage too", async () => {
    const answers = [{ say: "waiting", order_id: null }, undefined, { say: "paid", order_id: "order_1" }];
    expect(await completeAfterReturn(options(answers))).toEqual({ say: "paid", orderId: "order_1" });
    expect(asks).toEqual([
      "https://medusa.example/store/tillkit/returns/a.1.b",
      "https://medusa.example/store/tillkit/returns/a.1.b?again",
      "https://medusa.example/store/tillkit/returns/a.1.b?again",
    ]);
  });

  it("stops waiting in the end, and never calls a silent Medusa a failed payment", async () => {
    expect(await completeAfterReturn({ ...options([]), waitMs: 6_000 })).toEqual({ say: "waiting" });
    expect(asks).toHaveLength(4);
  });

  it.each(["held", "lapsed", "refunded", "unknown"] as const)(
    "tells a shopper at once that a payment is %s",
    async (say) => {
      expect(await completeAfterReturn(options([{ say, order_id: null }]))).toEqual({ say });
      expect(asks).toHaveLength(1);
    },
  );

  it("sends the shopper to the hosted page, and nowhere when there is none", async () => {
    const { session } = await world.beginCheckout();
    const cart = {
      payment_collection: { payment_sessions: [{ provider_id: session.providerId, data: session.data }] },
    };
    const visited: string[] = [];
    redirectToCheckout(cart, (url) => visited.push(url));
    expect(visited).toEqual([session.data.checkout_url]);
    expect(checkoutUrlOf({ payment_collection: null })).toBeNull();
    expect(() => redirectToCheckout({}, () => {})).toThrow("choose the payment method again");
  });
});
