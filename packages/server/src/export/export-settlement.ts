import type { Ledger } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import { dateIn } from "../pages/zone-time.ts";
import { csvLine } from "./csv.ts";
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
];

/**
 * Yields the settlement as CSV, newest day first: one line for each day of `zone` and each currency. Memory holds only the sums of one
 * day and one page of payments, so that a year of a busy shop needs no more memory than a day.
 */
export async function* exportSettlement(
  ledger: Ledger,
  fees: Fees,
  query: ExportQuery,
  zone: string,
): AsyncGenerator<string> {
  let text = csvLine(COLUMNS);
  let day = "";
  let sums = new Map<string, Settlement>();
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    for (const settled of await settledTransactions(ledger, fees, payments)) {
      const date = dateIn(settled.payment.createdAt, zone);
      if (date !== day) {
        text += dayLines(day, sums);
        sums = new Map();
        day = date;
      }
      addTransaction(sums, settled);
    }
    if (text !== "") yield text;
    text = "";
  }
  yield dayLines(day, sums);
}

function dayLines(day: string, sums: ReadonlyMap<string, Settlement>): string {
  return [...sums.values()].map((settlement) => dayLine(day, settlement)).join("");
}

function dayLine(day: string, settlement: Settlement): string {
  const { currency, payments, compared, ours, service, fee, disputed } = settlement;
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
  return csvLine([day, currency, String(payments), String(compared), ...amounts]);
}
