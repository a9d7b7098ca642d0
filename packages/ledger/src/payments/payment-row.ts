import type { Payment } from "@tillkit/core";
import { readFinding, type Waiver } from "@tillkit/core/ledger";
import type { Insertable, Selectable } from "kysely";
import type { LedgerSchema } from "../database/schema.ts";

type PaymentTable = LedgerSchema["tillkit_payments"];

export function paymentToRow(payment: Payment): Insertable<PaymentTable> {
  return {
    id: payment.id,
    store_id: payment.ref.storeId,
    order_id: payment.ref.orderId,
    order_number: payment.orderNumber,
    attempt: payment.attempt,
    environment: payment.environment,
    account: payment.account,
    credential_id: payment.credentialId,
    created_at: payment.createdAt,
    amount_due_minor: payment.amountDue.minor,
    amount_due_currency: payment.amountDue.currency,
    wire_amount: payment.wireAmount,
    request: payment.request,
    reference: payment.reference,
    session_id: payment.session?.id ?? null,
    session_url: payment.session?.url ?? null,
    session_expires_at: payment.session?.expiresAt ?? null,
    amount_received_minor: payment.amountReceived?.minor ?? null,
    amount_received_currency: payment.amountReceived?.currency ?? null,
    transaction_id: payment.transactionId,
    state: payment.state,
    version: payment.version,
    checks: payment.checks,
    next_check_at: payment.nextCheckAt,
    store_write_at: payment.storeWriteAt,
    store_tries: payment.storeTries,
    store_retry_at: payment.storeRetryAt,
    finding: payment.finding && JSON.stringify(payment.finding),
    waiver: payment.waiver && JSON.stringify(payment.waiver),
    lost_to_dispute: payment.lostToDispute ? 1 : 0,
    traceparent: payment.traceparent ?? null,
  };
}

export function rowToPayment(row: Selectable<PaymentTable>): Payment {
  return {
    id: row.id,
    ref: { storeId: row.store_id, orderId: row.order_id },
    orderNumber: row.order_number,
    attempt: row.attempt,
    environment: row.environment,
    account: row.account,
    credentialId: row.credential_id,
    createdAt: row.created_at,
    amountDue: { minor: row.amount_due_minor, currency: row.amount_due_currency },
    wireAmount: row.wire_amount,
    request: row.request,
    reference: row.reference,
    session: rowToSession(row),
    amountReceived: rowToAmountReceived(row),
    transactionId: row.transaction_id,
    state: row.state,
    version: row.version,
    checks: row.checks,
    nextCheckAt: row.next_check_at,
    storeWriteAt: row.store_write_at,
    storeTries: row.store_tries,
    storeRetryAt: row.store_retry_at,
    finding: row.finding === null ? null : readFinding(JSON.parse(row.finding)),
    waiver: row.waiver === null ? null : readWaiver(row.waiver),
    lostToDispute: row.lost_to_dispute === 1,
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
  };
}

function rowToAmountReceived({
  amount_received_minor: minor,
  amount_received_currency: currency,
}: Selectable<PaymentTable>) {
  return minor === null || currency === null ? null : { minor, currency };
}

function rowToSession(row: Selectable<PaymentTable>): Payment["session"] {
  const { session_id: id, session_url: url, session_expires_at: expiresAt } = row;
  return id === null || url === null || expiresAt === null ? null : { id, url, expiresAt };
}

function readWaiver(text: string): Waiver {
  const stored = JSON.parse(text) as Waiver;
  return { ...stored, finding: readFinding(stored.finding) };
}
