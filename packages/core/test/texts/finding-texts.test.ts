import { describe, expect, it } from "vitest";
import type { SessionField } from "../../src/domain/finding.ts";
import { confirmPayment, explainFinding, explainPayment, type Finding } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";

const xof = (minor: number) => ({ minor, currency: "XOF" });
const FIELDS: readonly SessionField[] = ["session_id", "status", "reference", "amount", "currency"];

const FINDINGS: readonly Finding[] = [
  { code: "amount_differs", expected: xof(10_000), found: xof(5_000) },
  { code: "amount_differs", expected: xof(10_000), found: null },
  { code: "total_changed", expected: xof(10_000), found: xof(5_000) },
  { code: "total_changed", expected: xof(10_000), found: null },
  { code: "currency_differs", expected: "XOF", found: "USD" },
  { code: "other_session", expected: "ses_1", found: "ses_2" },
  { code: "other_reference" },
  { code: "other_environment", expected: "test", found: "live" },
  { code: "other_account", expected: null, found: "acct_2" },
  { code: "order_gone" },
  { code: "order_not_payable", why: null },
  ...FIELDS.map((missing) => ({ code: "not_verifiable", missing }) as const),
  { code: "paid_outside", paidBy: "owner", markedBy: "Adjoua" },
  { code: "paid_outside", paidBy: "unclear", markedBy: null },
  { code: "not_paid" },
  { code: "refund_failed", amount: xof(10_000) },
  { code: "refunded_but_shown", amount: xof(10_000) },
  { code: "lost_to_dispute", received: xof(10_000), disputed: xof(5_000) },
];

describe("the sentence of a finding", () => {
  it.each(FINDINGS)("%o is a sentence in each language", (finding) => {
    const texts = (["en", "fr"] as const).map((language) => explainFinding(finding, language));
    for (const text of texts) expect(text).toMatch(/^\p{Lu}.*[^.]\.$/u);
    for (const text of texts) expect(text).not.toMatch(/undefined|null|\[object|_/u);
    expect(texts[0]).not.toBe(texts[1]);
  });

  it("an owner reads what the order asks for and what arrived, and an operator what was requested", () => {
    const finding: Finding = { code: "amount_differs", expected: xof(10_000), found: xof(5_000) };
    const plain = (text: string) => text.replaceAll(/\s/gu, " ");
    expect(plain(explainFinding(finding, "en"))).toBe("Your order asks for 10 000 F CFA; 5 000 F CFA arrived.");
    expect(plain(explainFinding(finding, "fr"))).toBe(
      "Votre commande demande 10 000 F CFA ; 5 000 F CFA sont arrivés.",
    );
    expect(explainFinding(finding, "en", "operator")).toContain("was requested");
  });

  it("an owner is not told of a merchant who must review the payment", async () => {
    const { engine, ...fixture } = createEngineFixture();
    const paymentId = await startAndPay({ engine, ...fixture });
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 50 };
    await confirmPayment(engine, paymentId, { actor: "webhook" });
    for (const language of ["en", "fr"] as const) {
      const { headline, entries } = await explainPayment(engine, { paymentId }, language);
      const text = [headline, ...entries.map((entry) => entry.text)].join(" ");
      expect(text).toMatch(language === "en" ? /Your order asks for/u : /Votre commande demande/u);
      expect(text).not.toMatch(/merchant|commerçant/iu);
    }
    const { headline } = await explainPayment(engine, { paymentId }, "en", "operator");
    expect(headline).toContain("the merchant must review it");
  });
});
