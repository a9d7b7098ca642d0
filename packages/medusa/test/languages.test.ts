import { afterEach, describe, expect, it } from "vitest";
import { sentenceOf } from "../src/adapter/words.ts";
import { medusaHarness } from "./medusa-harness.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world?.close());

describe("why a cart takes no payment", () => {
  it("is one sentence in each language", async () => {
    const { adapter, environment, placeOrder, makeUnpayable } = await medusaHarness();
    const total = { minor: 2_280, currency: "USD" };
    const placed = await placeOrder({ total, title: "Two baskets", language: "en" });
    await makeUnpayable?.(placed);
    const ids = { paymentId: "payment-1", sessionId: "session-1", transactionId: null };
    const answer = await adapter.markPaid({ ...placed, ...ids, paid: total, total, environment, fence: 1 });
    const found = "detail" in answer ? answer.detail : "";
    const finding = { code: "order_not_payable", expected: "an order that can be paid", found } as const;
    expect(sentenceOf(finding, "en")).toBe("The shop cannot take this payment: the cart was canceled.");
    expect(sentenceOf(finding, "fr")).toBe("La boutique ne peut pas prendre ce paiement : le panier a été annulé.");
  });
});

describe("in a French shop", () => {
  it.each([
    ["fr", "Ce panier est déjà payé : sa commande est en cours d’enregistrement."],
    ["en", "This cart is paid already: its order is being placed."],
  ] as const)(
    "a shopper whose cart speaks %s is told in it why nothing more is to be paid",
    async (language, sentence) => {
      world = await openWorld({ language: "fr" });
      const { cart, session } = await world.beginCheckout({ language });
      await world.pay(session);
      await world.provider.getPaymentStatus({ data: session.data });
      await expect(world.medusa.initiate(cart)).rejects.toMatchObject({ type: "not_allowed", message: sentence });
    },
  );

  it("a currency that the service does not take is refused in French", async () => {
    world = await openWorld({ language: "fr" });
    const { cart } = await world.beginCheckout({ language: "fr" });
    await world.medusa.changeTotal(cart, "6.635", "kwd");
    await expect(world.medusa.initiate(cart)).rejects.toMatchObject({
      type: "not_allowed",
      message: "Le service n’accepte que XOF, USD, EUR : choisissez un autre moyen de paiement.",
    });
  });

  it("the owner reads in French that a refund was refused, whatever the cart spoke", async () => {
    world = await openWorld({ language: "fr" });
    const { payment } = await world.buy();
    await world.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 400, times: 1 });
    await expect(world.medusa.refund(payment, "2.8")).rejects.toThrow(
      "Le service a refusé ce remboursement : l’argent est toujours là.",
    );
  });
});
