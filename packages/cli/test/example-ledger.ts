import { type JobError, type Payment, systemClock } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";

export const noon = Date.UTC(2026, 0, 6, 12);
export const amount = { minor: 5000, currency: "XOF" } as const;

export function examplePayment(fields: Partial<Payment> & Pick<Payment, "id" | "ref" | "state">): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    orderNumber: fields.ref.orderId,
    attempt: fields.id,
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt: noon,
    amountDue: amount,
    wireAmount: amount.minor,
    request: "{}",
    reference: `${fields.id}.0123456789abcdef`,
    session: { id: `cs-${fields.id}`, url: "https://pay.example/cs_1", expiresAt: noon + 3_600_000 },
    ...fields,
  };
}

/** Stores payments, each with the entry of the timeline that its page was opened. */
export async function storePayments(ledgerUrl: string, payments: readonly Payment[], schema?: string): Promise<void> {
  const ledger = await openLedger(ledgerUrl, { schema });
  for (const next of payments) {
    const timeline = [{ paymentId: next.id, at: noon, actor: "shopper", kind: "opened" }] as const;
    await ledger.commit({ payment: { next, expect: "new" }, timeline });
  }
  await ledger.close();
}

/** Stores a dead-letter job of a payment and returns its ID. */
export async function storeDeadJob(
  ledgerUrl: string,
  { id: paymentId, ref: { storeId } }: Pick<Payment, "id" | "ref">,
  error: JobError,
): Promise<string> {
  const ledger = await openLedger(ledgerUrl);
  const dueAt = systemClock.now();
  await ledger.commit({ jobs: [{ kind: "confirm", storeId, paymentId, payload: "", dueAt }], timeline: [] });
  const [claimed] = await ledger.claim({ worker: "w", now: dueAt, leaseMs: 1_000, limit: 1 });
  const id = claimed?.id ?? "";
  await ledger.commit({ retried: [{ id, dueAt: null, error }], timeline: [] });
  await ledger.close();
  return id;
}
