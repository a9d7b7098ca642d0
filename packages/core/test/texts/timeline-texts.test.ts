import { describe, expect, it } from "vitest";
import type { EntryFacts } from "../../src/domain/timeline.ts";
import type { TimelineEntry } from "../../src/index.ts";
import { readEntry, toStoredEntry, wasRecorded } from "../../src/ledger.ts";
import { explainEntry, TEXTS } from "../../src/texts/timeline-texts.ts";

const context = { paymentId: "p1", at: 1_700_000_000_000, actor: "timer" } as const;
const amount = { minor: 5_000, currency: "XOF" };
const expected = { minor: 10_000, currency: "XOF" };
const dispute = { amount, reason: "fraudulent", status: "pending", outcome: null, evidenceDueBy: context.at } as const;

const FACTS: readonly EntryFacts[] = [
  ...(["started", "opened", "replaced", "cancelled", "expired", "closed", "refunded"] as const).map(kindAlone),
  ...(["unreadable", "readable", "store_unavailable", "store_unknown", "store_reconnect", "store_owner"] as const).map(
    kindAlone,
  ),
  { kind: "refused", reason: "amount: too large" },
  { kind: "acted", transactionId: "tx-1" },
  { kind: "acted" },
  { kind: "attempt_failed", code: "card_declined", transactionId: "tx-1" },
  { kind: "attempt_failed" },
  { kind: "paid" },
  { kind: "paid", late: true },
  { kind: "recorded" },
  { kind: "recorded", evidence: "acknowledged" },
  { kind: "duplicate", paidBy: "payment-2" },
  { kind: "held", finding: { code: "amount_differs", expected, found: amount } },
  ...(["accepted", "accepted_by_hand", "reattached", "refund_decided", "refund_settled_by_person"] as const).map(
    (kind) => ({ kind, by: "Adjoua, caisse" }),
  ),
  { kind: "refund_settled", by: "Adjoua, caisse", reason: "In cash" },
  { kind: "transaction_named", by: "Adjoua, caisse", transactionId: "tx-1" },
  ...(["requested", "unknown", "pending", "completed", "failed"] as const).map(
    (state) => ({ kind: `refund_${state}`, amount }) as const,
  ),
  { kind: "refund_over_dispute", amount },
  { kind: "surplus", amount },
  { kind: "header_differs", header: "PAYMENT_FAILED", event: "PAYMENT_SUCCEEDED" },
  { kind: "recovered", disputesKnownSince: context.at },
  { kind: "orphan", event: "PAYMENT_SUCCEEDED" },
  { kind: "archived", name: "archive-1.jsonl.gz" },
  ...(["created", "updated", "closed", "decided"] as const).map(
    (what) => ({ kind: `dispute_${what}`, ...dispute }) as const,
  ),
  { kind: "dispute_closed", reported: "closed", outcome: "lost" },
];

describe("an entry of the timeline", () => {
  it.each(FACTS)("%j is read from a ledger as it was stored", (facts) => {
    const entry: TimelineEntry = { ...context, ...facts };
    expect(readEntry(JSON.parse(JSON.stringify(toStoredEntry(entry))))).toEqual(entry);
  });

  it.each(FACTS)("%j is one sentence in each language, which tells an owner nothing of a merchant", (facts) => {
    const texts = (["en", "fr"] as const).flatMap((language) =>
      (["owner", "operator"] as const).map((reader) => explainEntry({ ...context, ...facts }, language, reader)),
    );
    for (const text of texts) expect(text).not.toMatch(/undefined|null|NaN|Invalid|\[object/u);
    for (const text of [texts[0], texts[2]]) expect(text).not.toMatch(/merchant|commerçant/iu);
    expect(texts[0]).not.toBe(texts[2]);
  });

  it("an acceptance by nobody whom the shop names says in each language how it was accepted", () => {
    const nameless = { ...context, kind: "accepted", by: "" } as const;
    expect(explainEntry(nameless, "en", "owner")).toContain("(by marking the order as paid)");
    expect(explainEntry(nameless, "fr", "owner")).toContain("(commande marquée comme payée)");
  });

  it("every kind of entry is told here", () => {
    expect(new Set([...FACTS.map(({ kind }) => kind), "legacy"])).toEqual(new Set(Object.keys(TEXTS.en.entry)));
  });

  it("an owner reads what the order asks for and what arrived", () => {
    const entry = { ...context, kind: "held", finding: { code: "amount_differs", expected, found: amount } } as const;
    const plain = (text: string) => text.replaceAll(/\s/gu, " ");
    expect(plain(explainEntry(entry, "en", "owner"))).toBe("Your order asks for 10 000 F CFA; 5 000 F CFA arrived.");
    expect(plain(explainEntry(entry, "fr", "owner"))).toBe(
      "Votre commande demande 10 000 F CFA ; 5 000 F CFA sont arrivés.",
    );
  });
});

describe("an entry that an older or a newer version has stored", () => {
  it.each([
    ["refund_requested", "5000 XOF"],
    ["attempt_failed", "card_declined tx-1"],
    ["recorded", "read-back"],
    ["dispute_closed", "closed won"],
  ])("the text of %s is shown as it is: %s", (kind, detail) => {
    const entry = readEntry({ ...context, kind, detail });
    expect(entry).toEqual({ ...context, kind: "legacy", was: kind, text: detail });
    for (const language of ["en", "fr"] as const)
      expect(explainEntry(entry, language, "owner")).toBe(`${kind} ${detail}`);
  });

  it("a payment that an older version recorded counts as recorded", () => {
    const recorded = readEntry({ ...context, kind: "recorded", detail: "acknowledged" });
    expect(wasRecorded([recorded])).toBe(true);
    expect(wasRecorded([readEntry({ ...context, kind: "paid", detail: "late" })])).toBe(false);
  });

  it("an entry without facts keeps its kind", () => {
    for (const kind of ["started", "attempt_failed", "recovered"]) {
      const entry = readEntry({ ...context, kind, detail: "" });
      expect(entry).toEqual({ ...context, kind });
      expect(explainEntry(entry, "en", "owner")).not.toContain("undefined");
    }
  });

  it("a kind of a newer version is shown by its name", () => {
    expect(explainEntry(readEntry({ ...context, kind: "reversed", detail: '{"by":"x"}' }), "en", "owner")).toBe(
      "reversed",
    );
  });
});

function kindAlone<Kind extends string>(kind: Kind): { readonly kind: Kind } {
  return { kind };
}
