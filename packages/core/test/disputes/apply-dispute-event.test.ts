import { signWebhook } from "@tillkit/client/webhooks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainDispute } from "../../src/back-office.ts";
import { explainPayment, receiveWebhook } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture, type EngineFixtureOptions } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { startAndPay } from "../fixture/steps.ts";

const DAY_MS = 86_400_000;
let eventCount = 0;

/** An order that was paid with a card. The service's events carry their own times, whatever the fixture's clock shows. */
async function fixtureWithPaidOrder(options: EngineFixtureOptions = {}) {
  const fixture = createEngineFixture(options);
  const paymentId = await startAndPay(fixture);
  await deliver(fixture, "PAYMENT_SUCCEEDED", { checkout_session_id: "session-1", status: "completed" });
  return { fixture, paymentId };
}

async function deliver(fixture: EngineFixture, event: string, data: Record<string, unknown>): Promise<void> {
  eventCount += 1;
  const bytes = new TextEncoder().encode(JSON.stringify({ id: `event-${eventCount}`, event, data }));
  const signature = signWebhook(bytes, "whsec_test");
  const answer = await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature });
  expect(answer.status).toBe(200);
  await fixture.work();
}

/** The data of a dispute event. The dispute last changed `hours` hours after noon on 1 March. */
function dispute(hours: number, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    dispute_id: "d1a2b3c4-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
    transaction_id: "transaction-of-session-1",
    customer_id: "3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f",
    amount: 5_000,
    currency_code: "XOF",
    reason: "product_not_received",
    status: "pending",
    outcome: null,
    evidence_due_by: "2026-03-20T00:00:00.000Z",
    environment: "test",
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: new Date(Date.UTC(2026, 2, 1, 12 + hours)).toISOString(),
    ...change,
  };
}

const DISPUTE_ID = String(dispute(0).dispute_id);
const CREATED = dispute(0);
const UPDATED = dispute(1, { evidence_due_by: "2026-03-25T00:00:00.000Z" });
const WON = dispute(2, { status: "closed", outcome: "won" });

const noteKey = (status: string, { updated_at }: Record<string, unknown>) =>
  `dispute:${DISPUTE_ID}:${status}:${Date.parse(String(updated_at))}`;

const entriesOf = async ({ ledger }: EngineFixture, paymentId: string) => {
  return (await ledger.timeline({ paymentId })).filter(({ kind }) => kind.startsWith("dispute_"));
};

describe("applyDisputeEvent", () => {
  it("a dispute is stored with amount and deadline and changes neither order, payment nor money", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const before = await fixture.expectPaymentIn("recorded");
    const [reads, order] = [fixture.service.reads.length, fixture.store.order];
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    expect(await fixture.ledger.disputes(paymentId)).toEqual([
      {
        id: DISPUTE_ID,
        paymentId,
        transactionId: "transaction-of-session-1",
        amount: { minor: 5_000, currency: "XOF" },
        reason: "product_not_received",
        status: "pending",
        outcome: null,
        evidenceDueBy: Date.UTC(2026, 2, 20),
        openedAt: Date.UTC(2026, 2, 1, 12),
        updatedAt: Date.UTC(2026, 2, 1, 12),
      },
    ]);
    // One version for the event, and two for the note's write to the store.
    expect(await fixture.expectPaymentIn("recorded")).toEqual({ ...before, version: before.version + 3 });
    expect(fixture.store.order).toEqual(order);
    expect(fixture.store.paid).toHaveLength(1);
    expect(fixture.service.reads).toHaveLength(reads);
    expect(fixture.service.refundPosts).toEqual([]);
  });

  it("a dispute adds one timeline entry and one note for all copies of its event", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    for (let time = 0; time < 5; time += 1) await deliver(fixture, "DISPUTE_CREATED", CREATED);
    await deliver(fixture, "DISPUTE_UPDATED", { ...CREATED, updated_at: UPDATED.updated_at });
    expect((await entriesOf(fixture, paymentId)).map(({ kind }) => kind)).toEqual(["dispute_created"]);
    expect([...fixture.store.notes.keys()]).toEqual([noteKey("pending", CREATED)]);
  });

  it("a dispute adds one timeline entry when two deliveries report it at once", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    for (const id of ["first", "second"]) {
      const bytes = new TextEncoder().encode(JSON.stringify({ id, event: "DISPUTE_CREATED", data: CREATED }));
      const signature = signWebhook(bytes, "whsec_test");
      await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature });
    }
    await fixture.work();
    expect(await entriesOf(fixture, paymentId)).toHaveLength(1);
  });

  it("a dispute ends in the same state in whatever sequence and however often its events arrive", async () => {
    const events = [
      ["DISPUTE_CREATED", CREATED],
      ["DISPUTE_UPDATED", UPDATED],
      ["DISPUTE_CLOSED", WON],
    ] as const;
    const twice = [...events, ...events];
    const sequences = fc.shuffledSubarray(twice, { minLength: twice.length });
    await fc.assert(
      fc.asyncProperty(sequences, async (arrivals) => {
        const { fixture, paymentId } = await fixtureWithPaidOrder();
        for (const [event, data] of arrivals) await deliver(fixture, event, data);
        const [stored, ...others] = await fixture.ledger.disputes(paymentId);
        expect(others).toEqual([]);
        expect(stored).toMatchObject({ status: "closed", outcome: "won", updatedAt: Date.UTC(2026, 2, 1, 14) });
        const kinds = (await entriesOf(fixture, paymentId)).map(({ kind }) => kind);
        expect(new Set(kinds).size).toBe(kinds.length);
      }),
      { numRuns: 30 },
    );
  });

  it("a closed dispute is not reopened by the event of its creation with the same time", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await deliver(fixture, "DISPUTE_CLOSED", { ...WON, updated_at: CREATED.updated_at });
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    expect(await fixture.ledger.disputes(paymentId)).toMatchObject([{ status: "closed", outcome: "won" }]);
  });

  it("a dispute is noted on the order in its language, with amount and deadline, once for each status", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    fixture.store.order = anOrder({ language: "fr", paidBy: fixture.store.order?.paidBy ?? null, payable: false });
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    await deliver(fixture, "DISPUTE_UPDATED", UPDATED);
    await deliver(fixture, "DISPUTE_CLOSED", WON);
    const notes = [...fixture.store.notes].map(([key, text]) => [key, text.replace(/[\u00a0\u202f]/g, " ")]);
    expect(notes).toEqual([
      [
        noteKey("pending", CREATED),
        "Le titulaire de la carte conteste 5 000 F CFA (produit non reçu) : le service retient ce montant jusqu’à la décision. Envoyez vos justificatifs dans le tableau de bord du service avant le 20 mars 2026 à 00:00 UTC ; à défaut, le montant est perdu.",
      ],
      [noteKey("closed", WON), "Vous avez gagné la contestation de 5 000 F CFA : la boutique conserve ce montant."],
    ]);
  });

  it("a dispute's note waits until its store is available again", async () => {
    let isStoreDown = true;
    const notes: string[] = [];
    const addNote = async (_ref: unknown, key: string) => {
      if (isStoreDown) throw new Error("the shop is restarting");
      notes.push(key);
    };
    const { fixture } = await fixtureWithPaidOrder({ store: { addNote } });
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    expect(notes).toEqual([]);
    isStoreDown = false;
    await fixture.clock.advance(10 * 60_000);
    await fixture.work();
    expect(notes).toEqual([noteKey("pending", CREATED)]);
  });

  it("a dispute that changed before its note was written is noted with its new status only", async () => {
    let isStoreDown = true;
    const notes: string[] = [];
    const addNote = async (_ref: unknown, key: string) => {
      if (isStoreDown) throw new Error("the shop is restarting");
      notes.push(key);
    };
    const { fixture } = await fixtureWithPaidOrder({ store: { addNote } });
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    await deliver(fixture, "DISPUTE_CLOSED", WON);
    isStoreDown = false;
    await fixture.clock.advance(10 * 60_000);
    await fixture.work();
    expect(notes).toEqual([noteKey("closed", WON)]);
  });

  it("a dispute is explained with amount, reason, deadline and its effect on the money", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    await deliver(fixture, "DISPUTE_CLOSED", { ...WON, outcome: "lost" });
    const { entries } = await explainPayment(fixture.engine, { paymentId }, "en");
    const texts = entries.slice(-2).map(({ actor, text }) => `${actor}: ${text.replace(/[\u00a0\u202f]/g, " ")}`);
    expect(texts).toEqual([
      "Service: The cardholder disputes 5 000 F CFA (product not received): the service holds this amount until the dispute is decided. Send evidence in the service’s dashboard by 20 March 2026 at 00:00 UTC; without it the amount is lost.",
      "Service: You lost the dispute about 5 000 F CFA: the service returned this amount to the cardholder. Do not refund it as well.",
    ]);
  });

  it.each([
    ["without amount, times and reason", { amount: undefined, evidence_due_by: undefined, reason: undefined }],
    ["with an amount in an unknown currency", { currency_code: "GBP" }],
    [
      "with an invalid amount and invalid times",
      { amount: 1.5, evidence_due_by: "soon", updated_at: 7, created_at: {} },
    ],
    ["with an unknown status", { status: "needs_response", outcome: "unclear" }],
  ])("a dispute %s is stored as an open dispute", async (_, change) => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await deliver(fixture, "DISPUTE_CREATED", dispute(0, change));
    const [stored] = await fixture.ledger.disputes(paymentId);
    expect(stored).toMatchObject({ id: DISPUTE_ID, status: "pending", outcome: null });
    for (const language of ["en", "fr"] as const) {
      expect(stored && explainDispute(stored, language, { now: 0 })).not.toMatch(/undefined|null|NaN|Invalid/);
    }
  });

  it("a dispute whose times name no zone is dated in UTC, so its end is newer than its beginning wherever the server runs", async () => {
    const zone = process.env.TZ;
    process.env.TZ = "America/New_York";
    try {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      const times = { updated_at: "2026-03-01T12:00:00.000", evidence_due_by: "2026-03-20T00:00:00" };
      await deliver(fixture, "DISPUTE_CREATED", { ...CREATED, ...times });
      await deliver(fixture, "DISPUTE_CLOSED", { ...WON, updated_at: "2026-03-01T13:00:00.000Z" });
      expect(await fixture.ledger.disputes(paymentId)).toMatchObject([
        { status: "closed", outcome: "won", evidenceDueBy: Date.UTC(2026, 2, 20) },
      ]);
    } finally {
      process.env.TZ = zone ?? "";
      if (zone === undefined) delete process.env.TZ;
    }
  });

  it("a dispute stores no personal data from its reason", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const reason = "call awa@example.test or +225 07 08 09 10 11";
    await deliver(fixture, "DISPUTE_CREATED", dispute(0, { reason }));
    const stored = JSON.stringify([await fixture.ledger.disputes(paymentId), [...fixture.store.notes]]);
    expect(stored).not.toMatch(/awa@|08 09|3d9d2c11/);
  });

  it("a dispute without an id adds one timeline entry and nothing else", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    for (let time = 0; time < 3; time += 1) {
      await deliver(fixture, "DISPUTE_CREATED", dispute(0, { dispute_id: undefined }));
    }
    expect(await fixture.ledger.disputes(paymentId)).toEqual([]);
    const { entries } = await explainPayment(fixture.engine, { paymentId }, "en");
    const text = "The cardholder disputes this payment: respond in the service’s dashboard.";
    expect(entries.filter((line) => line.text === text)).toHaveLength(1);
  });

  it("a dispute stays open until the service reports its end", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await deliver(fixture, "DISPUTE_CREATED", CREATED);
    await fixture.clock.advance(60 * DAY_MS);
    await fixture.work();
    expect(await fixture.ledger.disputes(paymentId)).toMatchObject([{ status: "pending" }]);
    await fixture.expectPaymentIn("recorded");
  });
});
