import type { LedgerView } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import { dateIn } from "../pages/zone-time.ts";
import { type CsvField, type CsvLine, csvLine } from "./csv.ts";
import { type ExportQuery, RECEIVED } from "./export-payments.ts";
import type { Fees } from "./fees.ts";
import { settledTransactions } from "./settled-transactions.ts";
import { addTransaction, type Settlement } from "./settlement.ts";

const COLUMNS = [
  "day",
  "currency",
  "payments",
  "compared",
  "paid",
  "paid_service",
  "fees",
  "refunded",
  "refunded_service",
  "net",
  "net_service",
  "difference",
  "disputed",
  "mode",
];

/**
 * Yields the settlement as CSV, newest day first: one line for each day of `zone`, each currency and each mode. Memory holds only the sums of one
 * day and one page of payments, so that a year of a busy shop needs no more memory than a day.
 */
export async function* exportSettlement(
  ledger: LedgerView,
  fees: Fees,
  query: ExportQuery,
  zone: string,
  line: CsvLine = csvLine,
): AsyncGenerator<string> {
  let text = line(COLUMNS);
  let day = "";
  let sums = new Map<string, Settlement>();
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    for (const settled of await settledTransactions(ledger, fees, payments)) {
      const date = dateIn(settled.payment.createdAt, zone);
      if (date !== day) {
        text += dayRows(day, sums).map(line).join("");
        sums = new Map();
        day = date;
      }
      addTransaction(sums, settled);
    }
    if (text !== "") yield text;
    text = "";
  }
  yield dayRows(day, sums).map(line).join("");
}

function dayRows(day: string, sums: ReadonlyMap<string, Settlement>): readonly (readonly CsvField[])[] {
  return [...sums.values()].map((settlement) => dayRow(day, settlement));
}

function dayRow(day: string, settlement: Settlement): readonly CsvField[] {
  const { currency, environment, payments, compared, ours, service, fee, disputed } = settlement;
  const amounts = [
    ours.gross,
    service.gross,
    fee,
    ours.refunded,
    service.refunded,
    ours.net,
    service.net,
    ours.net - service.net,
    disputed,
  ].map((minor) => ({ minor, currency }));
  return [day, currency, String(payments), String(compared), ...amounts, environment];
}
