import type { Environment, PaymentState } from "@tillkit/core";
import type { LedgerView } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import { type CsvField, type CsvLine, csvLine } from "./csv.ts";
import type { Fees } from "./fees.ts";
import { type SettledTransaction, settledTransactions } from "./settled-transactions.ts";

/** Times of creation in milliseconds since 1970: `from` included, `until` excluded. Without an environment, test and live lines are mixed. */
export type ExportQuery = {
  readonly from?: number;
  readonly until?: number;
  readonly storeId?: string;
  readonly environment?: Environment;
};

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
  "mode",
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
export async function* exportPayments(
  ledger: LedgerView,
  fees: Fees,
  query: ExportQuery,
  line: CsvLine = csvLine,
): AsyncGenerator<string> {
  // The header comes with the first page: when the fees cannot be read, there is no file instead of half a file.
  let text = line(COLUMNS);
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    text += (await settledTransactions(ledger, fees, payments)).map(fieldsOf).map(line).join("");
    yield text;
    text = "";
  }
}

/** The same lines for some payments. */
export async function* exportChosenPayments(
  ledger: LedgerView,
  fees: Fees,
  { ids, environment }: { readonly ids: readonly string[]; readonly environment: Environment },
  line: CsvLine = csvLine,
): AsyncGenerator<string> {
  const found = (await ledger.paymentsWithMovements(ids)).map(({ payment }) => payment);
  const payments = found.filter((payment) => payment.environment === environment);
  const lines = (await settledTransactions(ledger, fees, payments)).map(fieldsOf).map(line);
  yield [line(COLUMNS), ...lines].join("");
}

function fieldsOf({ payment, equation, reported }: SettledTransaction): readonly CsvField[] {
  const { ref, id, transactionId, state, createdAt, environment } = payment;
  const { received, returned, leaving, disputed, available } = equation;
  const { currency } = received;
  const amount = (minor: number | undefined) => (minor === undefined ? "" : { minor, currency });
  return [
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
    environment,
  ];
}
