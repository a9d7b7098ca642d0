import { type Engine, formatMoney, type Ledger, type Payment, type Refund, safeText } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import { pluginLimits } from "../limits.ts";

/**
 * Failed refunds that the owner settled outside the service, in cash for example. A record holds who decided it, when and why; the
 * payment's timeline and the log of acts contain the same. The record's key is Medusa's id of the refund, or our key of the refund
 * where Medusa has no row of it.
 */
const KIND = "medusa-settled-refund";

type SettledContext = {
  readonly ledger: Pick<Ledger, "records">;
  readonly options: { readonly storeId: string };
};
type SettlementContext = SettledContext & {
  readonly ledger: Pick<Ledger, "records" | "commit" | "recordAct">;
  readonly engine: Pick<Engine, "clock">;
};

/** `by` is Medusa's id of the user. `reason` in the owner's words. */
export type Settlement = { readonly by: string; readonly reason: string };

export async function isSettled({ ledger, options }: SettledContext, key: string): Promise<boolean> {
  return (await ledger.records.get(options.storeId, KIND, key)) !== null;
}

/**
 * Takes a failed refund off the page. No money moves. A repeated call changes nothing.
 * @throws Error with a text for the person who clicked, when there is no reason
 */
export async function recordSettlement(
  { ledger, options, engine }: SettlementContext,
  { id: paymentId }: Payment,
  refund: Pick<Refund, "amount"> & { readonly key: string },
  { by, reason: written }: Settlement,
): Promise<void> {
  const reason = safeText(written.trim());
  if (reason.length < pluginLimits.shortestReason) throw userError("reasonMissing");
  const at = engine.clock.now();
  if ((await ledger.records.put(options.storeId, KIND, refund.key, { by, at, reason }, "new")) !== "done") return;
  const detail = `${by}: ${reason}`;
  await ledger.commit({ timeline: [{ paymentId, at, actor: "operator", kind: "refund_settled", detail }] });
  const amount = formatMoney(refund.amount, "en");
  await ledger.recordAct({ at, by, act: "settle_refund", paymentId, detail: `${amount}: ${reason}` });
}
