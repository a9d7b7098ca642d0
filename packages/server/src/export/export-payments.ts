import { amountPaid, decimalText, type LedgerView, type Payment, type PaymentState } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import { csvLine } from "./csv.ts";
import type { Fees, PaidAmounts } from "./fees.ts";

/** Times of creation in milliseconds since 1970: `from` included, `until` excluded. */
export type ExportWant = { readonly from?: number; readonly until?: number; readonly storeId?: string };

const COLUMNS = ["order", "payment", "transaction", "gross", "fee", "net", "currency", "state", "created", "store"];

/** Money arrived, whatever became of it. */
const WITH_MONEY: readonly PaymentState[] = ["verified", "recorded", "review", "duplicate", "refunding", "refunded"];

/**
 * CSV for the bookkeeper, newest first, page by page: a line for each payment whose money arrived. Amounts are decimals of
 * the currency, times ISO 8601. Fee and net are empty where the service does not say them.
 */
export async function* exportPayments(ledger: LedgerView, fees: Fees, want: ExportWant): AsyncGenerator<string> {
  // With the first page, and not before it: who cannot get the fees gets no file, instead of half of one.
  let text = csvLine(COLUMNS);
  for await (const payments of allPages((pages) => ledger.listPayments({ ...want, states: WITH_MONEY, ...pages }))) {
    const amounts = await fees(payments);
    for (const payment of payments) text += line(payment, amounts.get(payment.id));
    yield text;
    text = "";
  }
}

function line(payment: Payment, amounts: PaidAmounts | undefined): string {
  const { ref, id, transactionId, amountDue, state, createdAt } = payment;
  const text = (minor: number | undefined) =>
    minor === undefined ? "" : decimalText({ minor, currency: amountDue.currency });
  return csvLine([
    ref.orderId,
    id,
    amounts?.transactionId ?? transactionId ?? "",
    text(amounts?.gross ?? amountPaid(payment).minor),
    text(amounts?.fee),
    text(amounts?.net),
    amountDue.currency,
    state,
    new Date(createdAt).toISOString(),
    ref.storeId,
  ]);
}
