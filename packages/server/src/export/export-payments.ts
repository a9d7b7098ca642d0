import type { LedgerView, PaymentState } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import { csvLine } from "./csv.ts";
import type { Fees } from "./fees.ts";
import { type SettledTransaction, settledTransactions } from "./settled-transactions.ts";

/** Times of creation in milliseconds since 1970: `from` included, `until` excluded. */
export type ExportQuery = { readonly from?: number; readonly until?: number; readonly storeId?: string };

const COLUMNS = [
  "order",
  "payment",
  "transaction",
  "gross",
  "fee",
  "net",
  "currency",
  "state",
  "created",
  "store",
  "returned",
  "leaving",
  "disputed",
  "available",
];

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
 * Yields CSV for accounting, newest first, page by page: one line for each transaction of a payment that was received, so a payment
 * whose session received several transactions has several lines. Amounts are decimals of the currency, times ISO 8601. Fee and net
 * are the service's, before refunds and disputes; they are empty when the service does not report them.
 */
export async function* exportPayments(ledger: LedgerView, fees: Fees, query: ExportQuery): AsyncGenerator<string> {
  // The header comes with the first page: when the fees cannot be read, there is no file instead of half a file.
  let text = csvLine(COLUMNS);
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    text += (await settledTransactions(ledger, fees, payments)).map(transactionLine).join("");
    yield text;
    text = "";
  }
}

function transactionLine({ payment, equation, reported }: SettledTransaction): string {
  const { ref, id, transactionId, state, createdAt } = payment;
  const { received, returned, leaving, disputed, available } = equation;
  const { currency } = received;
  const amount = (minor: number | undefined) => (minor === undefined ? "" : { minor, currency });
  return csvLine([
    ref.orderId,
    id,
    reported?.transactionId ?? equation.transactionId ?? transactionId ?? "",
    received,
    amount(reported?.fee),
    amount(reported?.net),
    currency,
    state,
    new Date(createdAt).toISOString(),
    ref.storeId,
    returned,
    leaving,
    disputed,
    available,
  ]);
}
