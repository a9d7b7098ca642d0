import { formatMoney, type Language, limits, providerName, reportedMoney } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/** What only the service knows of a payment's transaction. `method`: "Wave"; method and amounts in the reader's language. */
export type TransactionView = {
  readonly method: string | null;
  readonly fee: string | null;
  readonly net: string | null;
};

/**
 * Reads the transaction from the service (GET /transactions/{id}). Null when there is no such payment of this store.
 * @throws CheckoutError `service_unavailable`
 */
export async function readTransactionView(
  { ledger, options, engine }: CheckoutRuntime,
  id: string,
  language: Language,
): Promise<TransactionView | null> {
  const payment = await ledger.find({ id });
  if (payment?.ref.storeId !== options.storeId) return null;
  const { transactionId, account, credentialId } = payment;
  const service = await engine.tenants.service(credentialId);
  const found =
    transactionId === null
      ? null
      : await service.readTransaction({ id: transactionId, account, deadlineMs: limits.shopperCallMs });
  const amountText = (wire: number | undefined) => {
    const amount = reportedMoney(payment, wire);
    return amount && formatMoney(amount, language);
  };
  const method = found?.provider === undefined ? null : providerName(found.provider, language);
  return { method, fee: amountText(found?.feeAmount), net: amountText(found?.netAmount) };
}
