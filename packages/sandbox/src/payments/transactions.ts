import { creditPayment } from "../balances/balances.ts";
import { delegatedLike, networkJson } from "../network/delegation.ts";
import { recordOperatorFee } from "../network/operator-fees.ts";
import { iso } from "../service/clock.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import { keepEarlier } from "../service/stale-reads.ts";
import type { Rows } from "../storage/open-store.ts";
import type { SessionRow, TransactionRow, TransactionStatus } from "../storage/tables.ts";
import { emitPaymentEvent } from "../webhooks/events.ts";
import { feeOf } from "./fees.ts";
import { codesOf, type FailureCode, failureMessages, type Method } from "./methods.ts";
import { storedTerms } from "./session-terms.ts";
import { belongsTo, type Owner, readSession } from "./sessions.ts";

type Start = {
  session: SessionRow;
  method: Method;
  customerId: string | null;
  waitsFor: TransactionRow["waits_for"];
  afterChallenge: FailureCode | null;
  lastDigits: string | null;
  completesAt: number | null;
};

const unset = {
  session_id: null,
  customer_id: null,
  subscription_id: null,
  status: "pending",
  description: null,
  quantity: 1,
  fee_amount: 0,
  net_amount: 0,
  refunded_amount: 0,
  failure_code: null,
  failure_message: null,
  waits_for: null,
  after_challenge: null,
  last_digits: null,
  completes_at: null,
} as const satisfies Partial<TransactionRow>;

type Set = "transaction_id" | "public_id" | "created_at" | "updated_at";

/** What is not named is null, 0, or one piece. */
type NewTransaction = Omit<TransactionRow, Set | keyof typeof unset> &
  Partial<Pick<TransactionRow, keyof typeof unset>>;

/** The customer starts a method of a session: a pending transaction and PAYMENT_CREATED. */
export function startTransaction(change: Change, start: Start): Promise<TransactionRow> {
  const { session } = start;
  const terms = storedTerms(session);
  return createTransaction(change, {
    session_id: session.session_id,
    organization_id: session.organization_id,
    environment: session.environment,
    ...delegatedLike(session),
    customer_id: start.customerId,
    ...codesOf[start.method],
    description: terms.description ?? terms.title,
    quantity: terms.quantity,
    gross_amount: session.amount,
    currency_code: session.currency_code,
    metadata_json: JSON.stringify({ ...terms.metadata, checkout_session_id: session.session_id }),
    waits_for: start.waitsFor,
    after_challenge: start.afterChallenge,
    last_digits: start.lastDigits,
    completes_at: start.completesAt,
  });
}

/** A pending transaction as it begins, and PAYMENT_CREATED. */
export async function createTransaction(change: Change, begun: NewTransaction): Promise<TransactionRow> {
  const row = await insertTransaction(change, begun);
  if (row.completes_at !== null) change.expect(row.completes_at);
  await emitPaymentEvent(change, "PAYMENT_CREATED", row);
  return row;
}

/** A transaction that nobody is told about; pending unless it says otherwise. */
export async function insertTransaction(change: Change, begun: NewTransaction): Promise<TransactionRow> {
  const row: TransactionRow = {
    ...unset,
    ...begun,
    transaction_id: change.service.ids.uuid(),
    public_id: change.service.ids.short("txn"),
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("transactions").values(row).execute();
  return row;
}

/**
 * pending → completed, and expired → completed: a late success wins over expiry. Completes the session with it; other
 * attempts of that session that still wait are cancelled, so that nobody pays twice.
 * @throws Refusal `conflict`
 */
export async function completeTransaction(change: Change, transaction: TransactionRow): Promise<TransactionRow> {
  refuseUnless(transaction, ["pending", "held", "expired"], "completed");
  const fee = feeOf(transaction.gross_amount, change.service.settings.feeBps);
  const done = await move(change, transaction, {
    status: "completed",
    fee_amount: fee,
    net_amount: transaction.gross_amount - fee,
  });
  if (done.session_id !== null) await completeSession(change, done.session_id, done);
  await creditPayment(change, done);
  await recordOperatorFee(change, done);
  await emitPaymentEvent(change, "PAYMENT_SUCCEEDED", done);
  return done;
}

/**
 * pending → failed. The session stays open: the customer may try again.
 * @throws Refusal `conflict`
 */
export async function failTransaction(
  change: Change,
  transaction: TransactionRow,
  failure: FailureCode,
): Promise<TransactionRow> {
  refuseUnless(transaction, ["pending", "held"], "failed");
  const done = await move(change, transaction, {
    status: "failed",
    failure_code: failure,
    failure_message: failureMessages[failure],
  });
  await emitPaymentEvent(change, "PAYMENT_FAILED", done);
  return done;
}

/** A session's time is over, if it is still open: what was pending expires with it. There is no event for that. */
export async function expireSession(change: Change, sessionId: string): Promise<void> {
  await keepSession(change, sessionId);
  const ended = await change.rows
    .updateTable("sessions")
    .set((column) => ({
      status: "expired",
      expires_at: column.fn<number>("min", [column.ref("expires_at"), column.val(change.now)]),
      updated_at: change.now,
    }))
    .where("session_id", "=", sessionId)
    .where("status", "=", "open")
    .executeTakeFirst();
  if (ended.numUpdatedRows > 0n) await movePending(change, sessionId, "expired");
}

/** Attempts that wait for nothing any more (a bank's page that was left) make room for a new one. */
export async function cancelPending(change: Change, sessionId: string): Promise<void> {
  await movePending(change, sessionId, "cancelled");
}

/** By UUID or by `txn_…`. @throws Refusal `not_found` */
export async function readTransaction(rows: Rows, id: string, owner?: Owner): Promise<TransactionRow> {
  const row = await rows
    .selectFrom("transactions")
    .selectAll()
    .where(id.startsWith("txn_") ? "public_id" : "transaction_id", "=", id)
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Transaction");
  return row;
}

/** The transaction as the API shows it. */
export function transactionJson(row: TransactionRow): Record<string, unknown> {
  return {
    transaction_id: row.transaction_id,
    public_id: row.public_id,
    organization_id: row.organization_id,
    customer_id: row.customer_id,
    checkout_session_id: row.session_id,
    transaction_type: "payment",
    status: row.status,
    description: row.description,
    quantity: row.quantity,
    gross_amount: row.gross_amount,
    discount_amount: 0,
    fee_amount: row.fee_amount,
    net_amount: row.net_amount,
    refunded_amount: row.refunded_amount,
    currency_code: row.currency_code,
    provider_code: row.provider_code,
    payment_method_code: row.payment_method_code,
    product_id: null,
    price_id: null,
    subscription_id: row.subscription_id,
    is_bnpl: false,
    is_pos: false,
    spi_account_number: null,
    spi_qr_code_id: null,
    metadata: JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    ...(row.failure_code === null ? {} : { failure_code: row.failure_code, failure_message: row.failure_message }),
    ...networkJson(row),
  };
}

/** The newest try of a session that was declined. */
export function lastFailedTransaction(rows: Rows, sessionId: string): Promise<TransactionRow | undefined> {
  const ofSession = rows.selectFrom("transactions").selectAll().where("session_id", "=", sessionId);
  return ofSession.where("status", "=", "failed").orderBy("seq", "desc").executeTakeFirst();
}

async function completeSession(change: Change, sessionId: string, transaction: TransactionRow): Promise<void> {
  await keepSession(change, sessionId);
  await change.rows
    .updateTable("sessions")
    .set({
      status: "completed",
      transaction_id: transaction.transaction_id,
      customer_id: transaction.customer_id,
      updated_at: change.now,
    })
    .where("session_id", "=", sessionId)
    .execute();
  await movePending(change, sessionId, "cancelled");
}

async function move(change: Change, transaction: TransactionRow, to: Partial<TransactionRow>): Promise<TransactionRow> {
  keepEarlier(change, change.service.earlier.transactions, transaction.transaction_id, transaction);
  const step = { ...to, waits_for: null, after_challenge: null, completes_at: null, updated_at: change.now };
  await change.rows
    .updateTable("transactions")
    .set(step)
    .where("transaction_id", "=", transaction.transaction_id)
    .execute();
  return { ...transaction, ...step };
}

async function keepSession(change: Change, sessionId: string): Promise<void> {
  const { rows, service } = change;
  if (service.settings.staleReadsMs === 0) return;
  keepEarlier(change, service.earlier.sessions, sessionId, await readSession(rows, sessionId));
}

async function movePending(change: Change, sessionId: string, status: "expired" | "cancelled"): Promise<void> {
  const { rows, service, now } = change;
  const ofSession = rows.selectFrom("transactions").selectAll().where("session_id", "=", sessionId);
  const pending = service.settings.staleReadsMs > 0 ? await ofSession.where("status", "=", "pending").execute() : [];
  for (const row of pending) keepEarlier(change, service.earlier.transactions, row.transaction_id, row);
  await rows
    .updateTable("transactions")
    .set({ status, completes_at: null, updated_at: now })
    .where("session_id", "=", sessionId)
    .where("status", "=", "pending")
    .execute();
}

function refuseUnless(transaction: TransactionRow, from: readonly TransactionStatus[], to: string): void {
  if (from.includes(transaction.status)) return;
  throw new Refusal("conflict", `A transaction that is ${transaction.status} cannot become ${to}`);
}
