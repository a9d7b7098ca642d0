import { describe, expect, it } from "vitest";
import { readNotPayable } from "../../src/domain/not-payable.ts";
import { confirmPayment, explainPayment, type NotPayable, type StoreAnswer } from "../../src/index.ts";
import { explainNotPayable } from "../../src/texts/not-payable-texts.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";

const REASONS: readonly NotPayable[] = [
  { kind: "closed" },
  { kind: "cancelled" },
  { kind: "sold_out" },
  { kind: "total_changed" },
  { kind: "order_changed" },
  { kind: "part_missing" },
  { kind: "part_authorized" },
  { kind: "method_missing" },
  { kind: "attempt_ended" },
  { kind: "refunded_already" },
  { kind: "order_state", state: "refunded" },
  { kind: "left_unsettled", state: "Draft" },
  { kind: "refused_by_platform", code: "USER_INPUT_ERROR" },
  { kind: "refused_by_platform", code: null },
];

async function sentencesAfter(answer: StoreAnswer, language: "en" | "fr"): Promise<string[]> {
  const { engine, store, ...fixture } = createEngineFixture();
  const paymentId = await startAndPay({ engine, store, ...fixture });
  store.nextAnswers.push(async () => answer);
  await confirmPayment(engine, paymentId, { actor: "webhook" });
  const { entries } = await explainPayment(engine, { paymentId }, language);
  return entries.map(({ text }) => text);
}

describe("why a store cannot take a payment", () => {
  it.each(REASONS)("an owner reads $kind in one language, with one full stop at its end", async (why) => {
    const en = "The shop cannot take this payment: ";
    const fr = "La boutique ne peut pas prendre ce paiement : ";
    const answer = { outcome: "not-payable", why } as const;
    expect(await sentencesAfter(answer, "en")).toContainEqual(
      expect.stringMatching(new RegExp(`^${en}[^.]+\\.$`, "u")),
    );
    expect(await sentencesAfter(answer, "fr")).toContainEqual(
      expect.stringMatching(new RegExp(`^${fr}[^.]+\\.$`, "u")),
    );
    expect(explainNotPayable(why, "fr")).not.toContain(explainNotPayable(why, "en").slice(en.length, -1));
  });

  it("a changed total is explained in French to an owner who reads French", async () => {
    const answer = { outcome: "not-payable", why: { kind: "total_changed" } } as const;
    expect(await sentencesAfter(answer, "fr")).toContain(
      "La boutique ne peut pas prendre ce paiement : le total de la commande a changé.",
    );
  });

  it.each([[undefined], [{ kind: "of a newer version" }], ["a sentence"], [{ kind: "order_state" }]])(
    "a reason that is not known, such as %j, counts as the platform's own refusal",
    (reason) => {
      expect(readNotPayable(reason)).toEqual({ kind: "refused_by_platform", code: null });
    },
  );

  it.each(REASONS)("$kind is read as it was stored", (why) => {
    expect(readNotPayable(JSON.parse(JSON.stringify(why)))).toEqual(why);
  });
});
