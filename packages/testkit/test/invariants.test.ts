import { findingKey, limits, money, type Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { type Evidence, emptyEvidence, findViolations, type InvariantId } from "@tillkit/testkit/simulator";
import { describe, expect, it } from "vitest";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** When the ledger was restored. */
const RESTORED = 5 * HOUR;

/** The violations of one invariant. */
function violationsOf(invariant: InvariantId, evidence: Partial<Evidence>): readonly string[] {
  return findViolations({ ...emptyEvidence, ...evidence })
    .filter((violation) => violation.invariant === invariant)
    .map(({ reason }) => reason);
}

const PRICE = money(5_000, "XOF");
const SESSION = { id: "cs", url: "https://pay.example/cs", expiresAt: HOUR };
const PAYMENT: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "p",
  ref: { storeId: "hats", orderId: "1" },
  orderNumber: "1",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "key",
  createdAt: 0,
  amountDue: PRICE,
  wireAmount: 5_000,
  request: "{}",
  reference: "p.mark",
  session: SESSION,
  state: "open",
};
const ORDER: Evidence["orders"][number] = {
  ref: PAYMENT.ref,
  writes: { kind: "conditional" },
  effects: [],
  totals: [{ total: PRICE, from: 0 }],
  closedAt: null,
  closedAttempts: [],
  holds: null,
  notes: null,
};
const MEMORY = { ...emptyEvidence.memory, restoredAt: RESTORED, remembered: ["p"] };

describe("R3: a refund that was recorded as failed, though the service made one under its key", () => {
  const recorded = { paymentId: "p", refundId: "", key: "click", status: "failed", minor: 100 } as const;
  const judge = (madeAt: number, keepsMarks: boolean) =>
    violationsOf("R3", {
      recordedRefunds: [recorded],
      refunds: [
        { id: "re", paymentId: "p", key: "click", wireAmount: 100, status: "completed", madeAt, completedAt: 9 * HOUR },
      ],
      memory: { ...MEMORY, keepsMarks },
    });

  it("is forgiven if the ledger forgot it, however much later it completed, and the service keeps no marks", () => {
    expect(judge(RESTORED - 1, false)).toEqual([]);
  });

  it("is a violation if it was made since, or could be recognized by its mark", () => {
    expect(judge(RESTORED + 1, false)).toHaveLength(1);
    expect(judge(RESTORED - 1, true)).toHaveLength(1);
  });
});

describe("I4: an order that a held payment has paid", () => {
  const finding = { code: "amount_differs", expected: PRICE, found: money(4_999, "XOF") } as const;
  const judge = (acceptances: Evidence["acceptances"], restoredAt: number | null = RESTORED) =>
    violationsOf("I4", {
      payments: [{ ...PAYMENT, state: "review", finding }],
      orders: [{ ...ORDER, effects: [{ paymentId: "p", total: PRICE, at: 2 * HOUR }] }],
      acceptances,
      memory: { ...MEMORY, restoredAt },
    });
  const accepted = { paymentId: "p", seen: findingKey(finding), at: 2 * HOUR };

  it("is forgiven if a restored ledger forgot that a person had accepted this difference", () => {
    expect(judge([accepted])).toEqual([]);
  });

  it("is a violation if nobody had accepted it, if it was accepted since, or if nothing was restored", () => {
    expect(judge([])).toHaveLength(1);
    expect(judge([{ ...accepted, seen: "another difference" }])).toHaveLength(1);
    expect(judge([{ ...accepted, paymentId: "another" }])).toHaveLength(1);
    expect(judge([accepted, { ...accepted, at: RESTORED + 1 }])).toHaveLength(1);
    expect(judge([accepted], null)).toHaveLength(1);
  });
});

describe("I3: an order that is paid too late", () => {
  const completedAt = 12 * MINUTE;
  const judge = (paidAfterMs: number, evidence: Partial<Evidence>) =>
    violationsOf("I3", {
      payments: [{ ...PAYMENT, state: "recorded" }],
      orders: [{ ...ORDER, effects: [{ paymentId: "p", total: PRICE, at: completedAt + paidAfterMs }] }],
      sessions: [{ ...PAYMENT, ...SESSION, paymentId: "p", currency: "XOF", completedAt }],
      ...evidence,
    });
  const event = { at: completedAt + 1, status: 200, genuine: true, stored: true, paymentId: "p" };

  it("is a violation two minutes after an event that the ledger did not know", () => {
    expect(judge(3 * MINUTE, { webhooks: [{ ...event, reportsSuccess: false }] })).toHaveLength(1);
    expect(judge(1 * MINUTE, { webhooks: [{ ...event, reportsSuccess: false }] })).toEqual([]);
  });

  it("may wait for the timer if the event repeats one that was stored before the shopper paid, but no longer", () => {
    const webhooks = [{ ...event, reportsSuccess: false, wasStoredBefore: true }];
    expect(judge(3 * MINUTE, { webhooks })).toEqual([]);
    expect(judge(11 * MINUTE, { webhooks })).toHaveLength(1);
  });

  it("may wait for the next scheduled read if its payment was held, as its timeline tells, but no longer", () => {
    const [, nextRead = 0] = limits.checksAfterStartMs.filter((at) => at > completedAt - 2 * MINUTE);
    const held = {
      paymentId: "p",
      at: completedAt,
      actor: "webhook",
      kind: "held",
      finding: { code: "other_reference" },
    } as const;
    const webhooks = [event];
    expect(judge(nextRead - completedAt, { webhooks })).toHaveLength(1);
    expect(judge(nextRead - completedAt, { webhooks, timeline: [held] })).toEqual([]);
    expect(judge(nextRead - completedAt + 3 * MINUTE, { webhooks, timeline: [held] })).toHaveLength(1);
  });
});

describe("I7: a session that is requested several times", () => {
  const judge = (opens: number, startsUnderWay: number, restoredAt: number | null = RESTORED) =>
    violationsOf("I7", {
      calls: [
        {
          paymentId: "p",
          opens,
          reads: 0,
          starts: 1,
          startsUnderWay,
          unanswered: 0,
          watched: false,
          signals: 0,
          retries: 0,
        },
      ],
      memory: { ...MEMORY, restoredAt },
    });

  it("is within its budget if as many starts were under way when the ledger was restored", () => {
    expect(judge(4, 3)).toEqual([]);
    expect(judge(2, 0)).toEqual([]);
  });

  it("is a violation beyond them, and where nothing was restored", () => {
    expect(judge(5, 3)).toHaveLength(1);
    expect(judge(3, 0)).toHaveLength(1);
    expect(judge(2, 1, null)).toHaveLength(1);
  });
});

describe("I2: an order that is marked paid with another amount than it asks for", () => {
  const judge = (effectAt: number, acceptedAt: number | null) =>
    violationsOf("I2", {
      payments: [PAYMENT],
      sessions: [
        {
          id: "cs",
          paymentId: "p",
          wireAmount: 500_000,
          currency: "XOF",
          reference: "p.mark",
          account: null,
          environment: "test",
          completedAt: HOUR,
          expiresAt: 2 * HOUR,
        },
      ],
      orders: [{ ...ORDER, effects: [{ paymentId: "p", total: PRICE, at: effectAt }] }],
      acceptances: acceptedAt === null ? [] : [{ paymentId: "p", seen: "", at: acceptedAt }],
      memory: MEMORY,
    });

  it("is right if a person had accepted it before the ledger was restored, and the write was in flight then", () => {
    expect(judge(RESTORED + 1_000, RESTORED - 1_000)).toEqual([]);
  });

  it("is a violation if nobody had accepted it, if it was accepted since, and long after the restore", () => {
    expect(judge(RESTORED + 1_000, null)).toHaveLength(1);
    expect(judge(RESTORED + 1_000, RESTORED + 500)).toHaveLength(1);
    expect(judge(RESTORED + 2 * HOUR, RESTORED - 1_000)).toHaveLength(1);
  });
});
