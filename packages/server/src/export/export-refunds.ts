import type { Dispute, Payment, Refund } from "@tillkit/core";
import type { LedgerView } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import { type CsvField, type CsvLine, csvLine } from "./csv.ts";
import type { ExportQuery } from "./export-payments.ts";
import { sentReason } from "./sent-reason.ts";

const REFUND_COLUMNS = [
  "refund",
  "order",
  "payment",
  "transaction",
  "amount",
  "currency",
  "state",
  "reason",
  "origin",
  "requested",
  "store",
  "mode",
];

/** Yields CSV with one line for each refund that was requested in the period, newest first. */
export async function* exportRefunds(
  ledger: LedgerView,
  query: ExportQuery,
  line: CsvLine = csvLine,
): AsyncGenerator<string> {
  let text = line(REFUND_COLUMNS);
  for await (const refunds of allPages((page) => ledger.listRefunds({ ...query, ...page }))) {
    const payments = await paymentsOf(ledger, refunds);
    for (const refund of refunds) text += line(refundFields(refund, payments.get(refund.paymentId)));
    yield text;
    text = "";
  }
}

function refundFields(refund: Refund, payment: Payment | undefined): readonly CsvField[] {
  const { refundId, paymentId, transactionId, amount, state, origin, requestedAt } = refund;
  const reason = sentReason(refund) ?? "";
  const order = payment?.orderNumber ?? "";
  const values = [refundId ?? "", order, paymentId, transactionId, amount, amount.currency, state, reason, origin];
  return [...values, new Date(requestedAt).toISOString(), ...originOf(payment)];
}

const DISPUTE_COLUMNS = [
  "dispute",
  "order",
  "payment",
  "amount",
  "currency",
  "status",
  "outcome",
  "reason",
  "evidence_due",
  "opened",
  "store",
  "mode",
];

/** Yields CSV with one line for each dispute that was opened in the period; disputes that are still open come first. */
export async function* exportDisputes(
  ledger: LedgerView,
  { from = 0, until, storeId, ...ofEnvironment }: ExportQuery,
  line: CsvLine = csvLine,
): AsyncGenerator<string> {
  let text = line(DISPUTE_COLUMNS);
  for await (const disputes of allPages((page) => ledger.listDisputes({ ...ofEnvironment, ...page }))) {
    const payments = await paymentsOf(ledger, disputes);
    for (const dispute of disputes) {
      if (dispute.openedAt < from || (until !== undefined && dispute.openedAt >= until)) continue;
      const payment = payments.get(dispute.paymentId);
      if (storeId === undefined || payment?.ref.storeId === storeId) text += line(disputeFields(dispute, payment));
    }
    yield text;
    text = "";
  }
}

function disputeFields(dispute: Dispute, payment: Payment | undefined): readonly CsvField[] {
  const { id, paymentId, amount, status, outcome, reason, evidenceDueBy, openedAt } = dispute;
  const amountFields = amount === null ? ["", ""] : [amount, amount.currency];
  const due = evidenceDueBy === null ? "" : new Date(evidenceDueBy).toISOString();
  const values = [id, payment?.orderNumber ?? "", paymentId, ...amountFields, status, outcome ?? "", reason, due];
  return [...values, new Date(openedAt).toISOString(), ...originOf(payment)];
}

/** Store and mode; empty for a payment that is no longer in the ledger. */
function originOf(payment: Payment | undefined): readonly [store: string, mode: string] {
  return [payment?.ref.storeId ?? "", payment?.environment ?? ""];
}

async function paymentsOf(
  ledger: LedgerView,
  rows: readonly { readonly paymentId: string }[],
): Promise<ReadonlyMap<string, Payment>> {
  const found = await ledger.paymentsWithMovements([...new Set(rows.map(({ paymentId }) => paymentId))]);
  return new Map(found.map(({ payment }) => [payment.id, payment]));
}
