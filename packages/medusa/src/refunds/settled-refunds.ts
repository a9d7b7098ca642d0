import { type Engine, type HostDecision, type Ledger, type Payment, safeText } from "@tillkit/core";
import { changedError } from "../errors/changed-error.ts";

/**
 * Failed refunds that the owner settled outside the service, in cash for example. A record holds who decided it, when and why; the
 * payment's timeline contains the same. The record's key is Medusa's id of the refund, or our key of the refund
 * where Medusa has no row of it.
 */
const KIND = "medusa-settled-refund";

type SettledContext = {
  readonly ledger: Pick<Ledger, "records">;
  readonly options: { readonly storeId: string };
};
type SettlementContext = SettledContext & {
  readonly ledger: Pick<Ledger, "records" | "commit" | "find">;
  readonly engine: Pick<Engine, "clock">;
};

export async function isSettled({ ledger, options }: SettledContext, key: string): Promise<boolean> {
  return (await ledger.records.get(options.storeId, KIND, key)) !== null;
}

/**
 * Takes a failed refund off the page. No money moves. A repeated call changes nothing.
 *
 * @param key the key of its record
 * @param decision `by` is Medusa's id of the user, and `reason` is in the owner's words
 * @throws CheckoutError `ledger_busy` when the payment is not as the person saw it
 */
export async function recordSettlement(
  { ledger, options: { storeId }, engine }: SettlementContext,
  { id: paymentId }: Payment,
  key: string,
  { by, reason: written, stillApplies }: HostDecision & { readonly reason: string },
): Promise<void> {
  const payment = await ledger.find({ id: paymentId });
  if (!payment || !(await stillApplies())) throw changedError();
  const at = engine.clock.now();
  const reason = safeText(written.trim());
  if ((await ledger.records.put(storeId, KIND, key, { by, at, reason }, "new")) !== "done") return;
  // Somebody may have sent the refund again since the comparison: then the payment has another version.
  const next = { ...payment, version: payment.version + 1 };
  const entry = { paymentId, at, actor: "operator", kind: "refund_settled", by, reason } as const;
  const answer = await ledger.commit({ payment: { next, expect: payment.version }, timeline: [entry] });
  if (answer === "done") return;
  const record = await ledger.records.get(storeId, KIND, key);
  if (record) await ledger.records.remove(storeId, KIND, key, record.version);
  throw changedError();
}
