import { amountPaid, decimalText, type LedgerView, type Payment, type PaymentState } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import { csvLine } from "./csv.ts";
import type { Fees, PaidAmounts } from "./fees.ts";

/** Times of creation in milliseconds since 1970: `from` included, `until` excluded. */
export type ExportQuery = { readonly from?: number; readonly until?: number; readonly storeId?: string };

const COLUMNS = ["order", "payment", "transaction", "gross", "fee", "net", "currency", "state", "created", "store"];

/** States of payments that were received, also when they were refunded later. */
export const RECEIVED: readonly PaymentState[] = [
  "verified",
  "recorded",
  "review",
  "duplicate",
  "refunding",
  "refunded",
];

/**
 * Yields CSV for accounting, newest first, page by page: one line for each payment that was received. Amounts are decimals
 * of the currency, times ISO 8601. Fee and net are empty when the service does not report them.
 */
export async function* exportPayments(ledger: LedgerView, fees: Fees, query: ExportQuery): AsyncGenerator<string> {
  // The header comes with the first page: when the fees cannot be read, there is no file instead of half a file.
  let text = csvLine(COLUMNS);
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    const amounts = await fees(payments);
    for (const payment of payments) text += paymentLine(payment, amounts.get(payment.id));
    yield text;
    text = "";
  }
}

function paymentLine(payment: Payment, amounts: PaidAmounts | undefined): string {
  const { ref, id, transactionId, amountDue, state, createdAt } = payment;
  const decimal = (minor: number | undefined) =>
    minor === undefined ? "" : decimalText({ minor, currency: amountDue.currency });
  return csvLine([
    ref.orderId,
    id,
    amounts?.transactionId ?? transactionId ?? "",
    decimal(amounts?.gross ?? amountPaid(payment).minor),
    decimal(amounts?.fee),
    decimal(amounts?.net),
    amountDue.currency,
    state,
    new Date(createdAt).toISOString(),
    ref.storeId,
  ]);
}
