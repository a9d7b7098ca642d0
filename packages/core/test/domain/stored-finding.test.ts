import { describe, expect, it } from "vitest";
import { readFinding } from "../../src/domain/stored-finding.ts";
import { confirmPayment, explainPayment, type Finding, findingKey, type Money, sameFinding } from "../../src/index.ts";
import { readEntry } from "../../src/ledger.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";

const xof = (minor: number): Money => ({ minor, currency: "XOF" });
const amounts = { expected: xof(5_000), found: xof(50) };

/** What the first versions stored, and the same facts today. */
const OLD_AND_NEW: readonly (readonly [object, Finding])[] = [
  [
    { code: "amount_differs", expected: "5000 XOF", found: "50 XOF", amounts },
    { code: "amount_differs", ...amounts },
  ],
  [
    { code: "amount_differs", expected: "5000 XOF", found: "50 XOF" },
    { code: "amount_differs", ...amounts },
  ],
  [
    { code: "amount_differs", expected: "5000 XOF", found: "no exact amount", amounts: { expected: xof(5_000) } },
    { code: "amount_differs", expected: xof(5_000), found: null },
  ],
  [
    {
      code: "total_changed",
      expected: "5000 XOF",
      found: "a total that the service cannot take",
      amounts: { expected: xof(5_000) },
    },
    { code: "total_changed", expected: xof(5_000), found: null },
  ],
  [
    { code: "currency_differs", expected: "XOF", found: "USD" },
    { code: "currency_differs", expected: "XOF", found: "USD" },
  ],
  [
    { code: "other_session", expected: "ses_1", found: "ses_2" },
    { code: "other_session", expected: "ses_1", found: "ses_2" },
  ],
  [
    { code: "other_environment", expected: "test", found: "live" },
    { code: "other_environment", expected: "test", found: "live" },
  ],
  [
    { code: "other_account", expected: "the key's own account", found: "acct_2" },
    { code: "other_account", expected: null, found: "acct_2" },
  ],
  [
    { code: "other_account", expected: "acct_1", found: "acct_2" },
    { code: "other_account", expected: "acct_1", found: "acct_2" },
  ],
  [
    { code: "other_reference", expected: "the reference of this payment", found: "another reference" },
    { code: "other_reference" },
  ],
  [{ code: "order_gone", expected: "1001", found: "no such order" }, { code: "order_gone" }],
  [
    { code: "order_not_payable", expected: "an order that can be paid", found: "cancelled, sold out or closed" },
    { code: "order_not_payable", why: null },
  ],
  [
    { code: "order_not_payable", expected: "an order that can be paid", found: "The total has changed." },
    { code: "order_not_payable", why: { kind: "refused_by_platform", code: null } },
  ],
  [
    { code: "not_verifiable", expected: "session id", found: "not in the service's answer" },
    { code: "not_verifiable", missing: "session_id" },
  ],
  [
    { code: "not_verifiable", expected: "currency", found: "not in the service's answer" },
    { code: "not_verifiable", missing: "currency" },
  ],
  [
    { code: "paid_outside", expected: "an order that this payment pays", found: "set to paid by hand by Adjoua" },
    { code: "paid_outside", paidBy: "owner", markedBy: "Adjoua" },
  ],
  [
    { code: "paid_outside", expected: "total_changed", found: "set to paid by hand" },
    { code: "paid_outside", paidBy: "owner", markedBy: null, accepts: "total_changed" },
  ],
  [
    {
      code: "paid_outside",
      expected: "an order that this payment pays",
      found: "paid, and the shop does not say by what",
    },
    { code: "paid_outside", paidBy: "unclear", markedBy: null },
  ],
  [{ code: "not_paid", expected: "a payment", found: "none within the grace period" }, { code: "not_paid" }],
  [
    { code: "refund_failed", expected: "5000 XOF", found: "not refunded", amounts: { expected: xof(5_000) } },
    { code: "refund_failed", amount: xof(5_000) },
  ],
  [
    { code: "refunded_but_shown", expected: "5000 XOF", found: "refunded", amounts: { expected: xof(5_000) } },
    { code: "refunded_but_shown", amount: xof(5_000) },
  ],
  [
    { code: "lost_to_dispute", expected: "5000 XOF", found: "50 XOF", amounts },
    { code: "lost_to_dispute", received: xof(5_000), disputed: xof(50) },
  ],
];

describe("a stored finding", () => {
  it.each(OLD_AND_NEW)("the texts of %o are read as facts", (old, finding) => {
    expect(readFinding(JSON.parse(JSON.stringify(old)))).toEqual(finding);
  });

  it.each(OLD_AND_NEW)("%# the facts are read as they were stored", (_old, finding) => {
    expect(readFinding(JSON.parse(JSON.stringify(finding)))).toEqual(finding);
  });

  it("a job and an entry of the first versions are carried out and explained", async () => {
    const { engine, ledger, store, ...fixture } = createEngineFixture();
    const paymentId = await startAndPay({ engine, ledger, store, ...fixture });
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 50 };
    await confirmPayment(engine, paymentId, { actor: "webhook" });
    await fixture.work();
    store.holds.length = 0;
    const old = JSON.stringify(OLD_AND_NEW[0]?.[0]);
    const at = fixture.clock.now();
    await ledger.commit({
      jobs: [{ kind: "hold", storeId: "hats", paymentId, payload: old, dueAt: at }],
      timeline: [readEntry({ paymentId, at, actor: "webhook", kind: "held", detail: old })],
    });
    await fixture.work();
    expect(store.holds).toEqual([OLD_AND_NEW[0]?.[1]]);
    const { entries } = await explainPayment(engine, { paymentId }, "en");
    const held = entries.filter(({ text }) => text.startsWith("Your order asks for"));
    expect(held).toHaveLength(2);
    expect(held[1]?.text).toBe(held[0]?.text);
  });

  it("the order of a row's fields makes no difference to the key", () => {
    const turned = {
      found: { currency: "XOF", minor: 50 },
      expected: { currency: "XOF", minor: 5_000 },
      code: "amount_differs",
    } as const;
    const finding: Finding = { code: "amount_differs", ...amounts };
    expect(findingKey(turned)).toBe(findingKey(finding));
    expect(sameFinding(turned, finding)).toBe(true);
  });

  it("any other fact makes another key", () => {
    const keys = OLD_AND_NEW.map(([, finding]) => findingKey(finding));
    const others: readonly Finding[] = [
      { code: "amount_differs", expected: xof(5_000), found: xof(51) },
      { code: "amount_differs", expected: xof(5_000), found: { minor: 50, currency: "USD" } },
      { code: "order_not_payable", why: { kind: "sold_out" } },
      { code: "paid_outside", paidBy: "owner", markedBy: "Awa" },
    ];
    for (const other of others) expect(keys).not.toContain(findingKey(other));
  });
});
