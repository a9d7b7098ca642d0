import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema } from "../src/database/schema.ts";
import { HISTORY } from "../src/migrations/history.ts";

const NOON = Date.UTC(2026, 0, 6, 12);

/** The money of a ledger that was written before transactions had records of their own. */
export function olderMovementsStay(where: string, newUrl: () => string): void {
  it(`the transaction of an older ledger ${where} is a candidate after its migration`, async () => {
    const url = newUrl();
    await writeOlderLedger(url);
    const ledger = await openLedger(url);
    const candidate = { code: null, isRead: false, evidence: "resemblance" };
    expect(await ledger.transactions("received")).toEqual([
      { ...candidate, id: "t1", paymentId: "received", amount: { minor: 4800, currency: "EUR" }, at: NOON + 60 },
    ]);
    expect(await ledger.transactions("never received")).toEqual([
      { ...candidate, id: "t2", paymentId: "never received", amount: { minor: 5000, currency: "XOF" }, at: NOON },
    ]);
    expect(await ledger.transactions("unpaid")).toEqual([]);
    expect(await ledger.find({ transactionId: "t1" })).toBeNull();
    const [known] = await ledger.transactions("received");
    if (known !== undefined)
      await ledger.commit({ transactions: [{ ...known, evidence: "identity", isRead: true }], timeline: [] });
    expect(await ledger.find({ transactionId: "t1" })).toMatchObject({ id: "received", transactionId: "t1" });
    await ledger.close();
  });

  it(`the refunds of an older ledger ${where} carry no mark and belong to the credential of their payment`, async () => {
    const url = newUrl();
    await writeOlderLedger(url);
    const ledger = await openLedger(url);
    expect(await ledger.find({ id: "received" })).toMatchObject({ lostToDispute: false });
    const [refund] = await ledger.refunds("received");
    expect(refund).toMatchObject({ key: "r1", mark: null, markReadAt: null, unmarkedKey: null });
    expect(await ledger.markHistory("credential-1")).toEqual({ readAt: null, refusedAt: null });
    if (refund !== undefined)
      await ledger.commit({ refunds: [{ ...refund, mark: "TKSAB123CD456", markReadAt: NOON + 9 }], timeline: [] });
    expect(await ledger.markHistory("credential-1")).toEqual({ readAt: NOON + 9, refusedAt: null });
    await ledger.close();
  });
}

async function writeOlderLedger(url: string): Promise<void> {
  const old = await openDatabase<LedgerSchema>(url);
  // Transactions and marks come with the sixth migration.
  await old.migrate({ ...HISTORY, steps: HISTORY.steps.slice(0, 5) });
  for (const { id, transactionId, received, succeededAt } of [
    { id: "received", transactionId: "t1", received: 4800, succeededAt: NOON + 60 },
    { id: "never received", transactionId: "t2", received: null, succeededAt: null },
    { id: "unpaid", transactionId: null, received: null, succeededAt: null },
  ])
    await sql`insert into tillkit_payments (id, store_id, order_id, attempt, environment, credential_id, created_at,
        amount_due_minor, amount_due_currency, amount_received_minor, amount_received_currency, wire_amount, request,
        reference, state, version, checks, store_tries, transaction_id, succeeded_at)
      values (${id}, 'hats', ${id}, '', 'live', 'credential-1', ${NOON}, 5000, 'XOF', ${received},
        ${received === null ? null : "EUR"}, 5000, '', '', 'recorded', 1, 0, 0, ${transactionId}, ${succeededAt})`.execute(
      old.db,
    );
  await sql`insert into tillkit_refunds (key, payment_id, origin, amount_minor, amount_currency, request, transaction_id,
      state, requested_at, other_keys)
    values ('r1', 'received', 'store', 2000, 'XOF', '{}', 't1', 'completed', ${NOON}, '[]')`.execute(old.db);
  await old.close();
}
