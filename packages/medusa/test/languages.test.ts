import { CheckoutError } from "@tillkit/core";
import { afterEach, describe, expect, it } from "vitest";
import { describeFinding } from "../src/adapter/notice-texts.ts";
import { toMedusaError } from "../src/errors/user-error.ts";
import { type Fixture, openFixture } from "./fixture.ts";
import { medusaHarness } from "./medusa-harness.ts";

let fixture: Fixture;
afterEach(() => fixture?.close());

describe("the reason why a cart takes no payment", () => {
  it("the reason why a cart takes no payment is one sentence in each language", async () => {
    const { adapter, environment, placeOrder, makeUnpayable } = await medusaHarness();
    const total = { minor: 2_280, currency: "USD" };
    const placed = await placeOrder({ total, title: "Two baskets", language: "en" });
    await makeUnpayable?.(placed);
    const ids = { paymentId: "payment-1", sessionId: "session-1", transactionId: null };
    const answer = await adapter.markPaid({ ...placed, ...ids, paid: total, total, environment, fence: 1 });
    if (answer.outcome !== "not-payable") expect.unreachable("A canceled cart takes no payment.");
    const finding = { code: "order_not_payable", why: answer.why } as const;
    expect(describeFinding(finding, "en")).toBe("The shop cannot take this payment: the cart was canceled.");
    expect(describeFinding(finding, "fr")).toBe(
      "La boutique ne peut pas prendre ce paiement : le panier a été annulé.",
    );
  });
});

describe("an error that a workflow of Medusa passes on", () => {
  it("the owner reads the sentence of the refusal, although a workflow throws a copy of the error", () => {
    const sentence =
      "Le service de paiement a refusé le remboursement : aucun argent n’a bougé. Son tableau de bord dit pourquoi.";
    const copies = [
      { type: "not_allowed", message: sentence },
      Object.assign(new Error(sentence), { type: "not_allowed" }),
    ];
    for (const copy of copies)
      expect(toMedusaError(copy, "fr")).toMatchObject({ type: "not_allowed", message: sentence });
    expect(toMedusaError(new Error("duplicate key: awa@example.com"), "fr").message).not.toContain("@");
    expect(toMedusaError({ type: "sql", message: "awa@example.com" }, "fr").message).not.toContain("@");
  });
});

describe("an error of a payment", () => {
  it("what may succeed in a moment is answered so that a client tries again, whatever its code, and nothing else is", () => {
    const later = new CheckoutError("refund_in_doubt", "Try again in a moment.", { retryable: true });
    const never = new CheckoutError("refund_too_large", "Less is left.");
    expect(toMedusaError(later, "en")).toMatchObject({ type: "unexpected_state" });
    expect(toMedusaError(never, "en")).toMatchObject({ type: "not_allowed" });
  });
});

describe("a French store", () => {
  it.each([
    ["fr", "Ce panier est déjà payé. Votre commande est en cours d’enregistrement."],
    ["en", "This cart is already paid. Its order is being placed."],
  ] as const)(
    "a shopper with a cart in %s reads in that language that the cart is already paid",
    async (language, sentence) => {
      fixture = await openFixture({ language: "fr" });
      const { cart, session } = await fixture.startCheckout({ language });
      await fixture.pay(session);
      await fixture.provider.getPaymentStatus({ data: session.data });
      await expect(fixture.medusa.initiate(cart)).rejects.toMatchObject({ type: "not_allowed", message: sentence });
    },
  );

  it.each([
    ["fr", "Le service de paiement n’accepte pas KWD, seulement XOF, USD, EUR. Choisissez un autre moyen de paiement."],
    ["en", "The payment service does not take KWD, only XOF, USD, EUR. Choose another payment method."],
  ] as const)("a shopper with a cart in %s reads which currency is refused", async (language, message) => {
    fixture = await openFixture({ language: "fr" });
    const { cart } = await fixture.startCheckout({ language });
    await fixture.medusa.changeTotal(cart, "6.635", "kwd");
    await expect(fixture.medusa.initiate(cart)).rejects.toMatchObject({ type: "not_allowed", message });
  });

  it("the owner reads in French that a refund was refused, whatever the language of the cart", async () => {
    fixture = await openFixture({ language: "fr" });
    const { payment } = await fixture.placePaidOrder();
    await fixture.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 400, times: 1 });
    await expect(fixture.medusa.refund(payment, "2.8")).rejects.toThrow(
      "Le service de paiement a refusé le remboursement : aucun argent n’a bougé. Son tableau de bord dit pourquoi.",
    );
  });
});
