import { confirmPayment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckout, paymentChoice } from "../src/storefront.ts";
import { type Fixture, openFixture } from "./fixture.ts";

const PROVIDER = "pp_tillkit_tillkit";
const CHOICE = paymentChoice(PROVIDER).data ?? {};

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** The calls to the service since `before`. */
const callsSince = (before: number) => fixture.sandbox.control.listRequests().length - before;
const countCalls = () => fixture.sandbox.control.listRequests().length;

/** The shopper chooses the method, changes the cart ten times and chooses it again each time, and at last presses *Pay*. */
async function payAfterTenChanges(choice: Record<string, unknown>) {
  await fixture.runtime();
  const before = countCalls();
  const { cart } = await fixture.startCheckout({ data: choice });
  for (let change = 1; change <= 10; change += 1) {
    await fixture.medusa.changeTotal(cart, String(22.8 + change));
    await fixture.medusa.initiate(cart, choice);
  }
  const callsBeforePay = callsSince(before);
  return { cart, session: await fixture.medusa.initiate(cart), callsBeforePay, calls: callsSince(before) };
}

describe("a storefront that opens the hosted page at Pay", () => {
  it("costs the service no call before the shopper presses Pay, and one page afterwards", async () => {
    const { cart, session, callsBeforePay, calls } = await payAfterTenChanges(CHOICE);
    expect([callsBeforePay, calls]).toEqual([0, 1]);
    await fixture.pay(session);
    const { id } = await fixture.payment(session);
    await confirmPayment((await fixture.runtime()).engine, id, { actor: "webhook" });
    expect(fixture.medusa.tables.orders).toMatchObject([{ cartId: cart.id }]);
  });

  it("a cart whose page was never opened is not completed", async () => {
    const { cart, session } = await fixture.startCheckout({ data: CHOICE });
    expect(session).toMatchObject({ status: "pending" });
    expect(session.data).not.toHaveProperty("checkout_url");
    await expect(fixture.medusa.completeCart(cart)).rejects.toThrow();
    expect(fixture.medusa.tables.orders).toEqual([]);
  });

  it("a currency that the service does not take is refused when the method is chosen", async () => {
    const cart = fixture.medusa.tables.addCart({ total: { minor: 1, currency: "USD" }, title: "Tea", language: "en" });
    await fixture.medusa.changeTotal(cart, "6.635", "kwd");
    await expect(fixture.medusa.initiate(cart, CHOICE)).rejects.toThrow("does not take KWD");
  });
});

describe("openCheckout", () => {
  const HOUR = 3_600_000;
  const cartWith = (data: object | null, provider = PROVIDER) => ({
    payment_collection: { payment_sessions: [{ provider_id: provider, data: data as Record<string, unknown> | null }] },
  });
  const page = (name: string, expiresIn = HOUR) =>
    cartWith({
      checkout_url: `https://pay.example/${name}`,
      expires_at: new Date(Date.now() + expiresIn).toISOString(),
    });

  async function press(cart: ReturnType<typeof cartWith>, times = 1) {
    const redirects: string[] = [];
    let initiated = 0;
    const initiate = async () => {
      initiated += 1;
      return page("new");
    };
    const presses = Array.from({ length: times }, () => openCheckout(cart, initiate, (url) => redirects.push(url)));
    await Promise.all(presses);
    return { redirects: [...new Set(redirects)], initiated };
  }

  it.each([
    ["a cart whose method was only chosen opens one page", cartWith({ opens: "at_pay" }), "new", 1],
    ["a cart whose page is open goes to this page", page("open"), "open", 0],
    ["a cart whose page has expired opens another one", page("old", -HOUR), "new", 1],
  ])("%s", async (_title, cart, name, initiated) => {
    expect(await press(cart)).toEqual({ redirects: [`https://pay.example/${name}`], initiated });
  });

  it("a button that is pressed twice opens one page", async () => {
    expect(await press(cartWith(null), 2)).toEqual({ redirects: ["https://pay.example/new"], initiated: 1 });
  });

  it("a page that could not be opened can be tried again", async () => {
    const fails = openCheckout(
      cartWith(null),
      () => Promise.reject(new Error("offline")),
      () => undefined,
    );
    await expect(fails).rejects.toThrow("offline");
    expect(await press(cartWith(null))).toMatchObject({ initiated: 1 });
  });

  it("only our own method is told to wait", () => {
    expect(paymentChoice("pp_system_default")).toEqual({ provider_id: "pp_system_default" });
  });
});
