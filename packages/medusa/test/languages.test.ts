import { afterEach, describe, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world?.close());

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
