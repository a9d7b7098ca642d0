import { describe, expect, it } from "vitest";
import { confirmPayment, explainPayment, recordCancel } from "../../src/index.ts";
import { PAYMENT_STATES } from "../../src/ledger.ts";
import { TEXTS } from "../../src/texts/timeline-texts.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { startAndPay, startPayment } from "../fixture/steps.ts";
import { fixtureWithPaidOrder, refund } from "../refunds/refund-steps.ts";

const ref = { storeId: "shop", orderId: "1042" };
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");

async function textsOf(fixture: ReturnType<typeof createEngineFixture>, language: "fr" | "en") {
  const { headline, entries } = await explainPayment(fixture.engine, { ref }, language);
  return [plain(headline), ...entries.map(({ actor, text }) => `${actor}: ${plain(text)}`)];
}

describe("explainPayment", () => {
  it("an order is explained in plain sentences, in French and in English", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await recordCancel(fixture.engine, paymentId);
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(await textsOf(fixture, "en")).toEqual([
      "5 000 F CFA was paid and the order shows it.",
      "Shopper: The shopper started a payment.",
      "Shopper: The payment page was opened.",
      "Shopper: The shopper left the payment page. Nothing was cancelled: the page can still be paid.",
      "Service: The service confirms the payment.",
      "Shop: The order is marked paid.",
    ]);
    expect(await textsOf(fixture, "fr")).toEqual([
      "5 000 F CFA ont été payés et la commande l’indique.",
      "Client: Le client a commencé un paiement.",
      "Client: La page de paiement a été ouverte.",
      "Client: Le client a quitté la page de paiement. Rien n’est annulé : elle peut encore être payée.",
      "Service: Le service confirme le paiement.",
      "Boutique: La commande est marquée payée.",
    ]);
  });

  it("a held order is explained with what was expected and what was found", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    fixture.store.order = anOrder({ total: { minor: 6000, currency: "XOF" } });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const lines = await textsOf(fixture, "en");
    expect(lines[0]).toContain("with a difference");
    expect(lines.at(-1)).toBe("Shop: The order was changed after payment began: 5 000 F CFA then, 6 000 F CFA now.");
  });

  it("the headline names the refunded and the remaining amount after a partial refund, and only the refund after a full refund", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 1000, "click-1");
    expect((await textsOf(fixture, "en"))[0]).toBe(
      "5 000 F CFA was paid and the order shows it. 1 000 F CFA of it was refunded; 4 000 F CFA remains.",
    );
    expect((await textsOf(fixture, "fr"))[0]).toBe(
      "5 000 F CFA ont été payés et la commande l’indique. 1 000 F CFA ont été remboursés ; il reste 4 000 F CFA.",
    );
    await refund(fixture, paymentId, 4000, "click-2");
    expect((await textsOf(fixture, "en"))[0]).toBe("5 000 F CFA was refunded.");
  });

  it("an order without payments has a headline and no entries", async () => {
    expect(await textsOf(createEngineFixture(), "en")).toEqual(["Nobody has tried to pay this order yet."]);
  });

  it("every payment state has a headline in both languages", () => {
    for (const state of PAYMENT_STATES) {
      for (const language of ["fr", "en"] as const)
        expect(TEXTS[language].headline[state]("5 F", "operator")).toContain("5 F");
    }
  });

  it("both languages have the same kinds of sentences", () => {
    expect(Object.keys(TEXTS.fr.entry)).toEqual(Object.keys(TEXTS.en.entry));
  });

  it("an unknown payment cannot be explained", async () => {
    const { engine } = createEngineFixture();
    await expect(explainPayment(engine, { paymentId: "x" }, "en")).rejects.toMatchObject({ code: "payment_not_found" });
  });
});
