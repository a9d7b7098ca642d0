import { notFound } from "../domain/api-error.ts";
import { type FailureCode, methodCodes, type PaymentMethod } from "../domain/payment-methods.ts";
import { belongsTo, copyDelegation, type Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { SessionRow, TransactionRow } from "../storage/payment-tables.ts";
import { emitPaymentEvent } from "./payment-events.ts";
import { readSessionDetails } from "./session-details.ts";

type TransactionStart = {
  session: SessionRow;
  method: PaymentMethod;
  customerId: string | null;
  awaits: TransactionRow["awaits"];
  failureAfterChallenge: FailureCode | null;
  lastDigits: string | null;
  completesAt: number | null;
};

const defaults = {
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
  awaits: null,
  failure_after_challenge: null,
  last_digits: null,
  completes_at: null,
} as const satisfies Partial<TransactionRow>;

type GeneratedColumn = "transaction_id" | "public_id" | "created_at" | "updated_at";

/** Omitted columns have the values of `defaults`. */
type NewTransaction = Omit<TransactionRow, GeneratedColumn | keyof typeof defaults> &
  Partial<Pick<TransactionRow, keyof typeof defaults>>;

/** Starts a payment attempt of a session: a pending transaction with PAYMENT_CREATED. */
export function startTransaction(context: WriteContext, start: TransactionStart): Promise<TransactionRow> {
  const { session } = start;
  const details = readSessionDetails(session);
  return createTransaction(context, {
    session_id: session.session_id,
    organization_id: session.organization_id,
    environment: session.environment,
    ...copyDelegation(session),
    customer_id: start.customerId,
    subscription_id: details.subscription_id,
    ...methodCodes[start.method],
    description: details.description ?? details.title,
    quantity: details.quantity,
    gross_amount: session.amount,
    currency_code: session.currency_code,
    metadata_json: JSON.stringify({ ...details.metadata, checkout_session_id: session.session_id }),
    awaits: start.awaits,
    failure_after_challenge: start.failureAfterChallenge,
    last_digits: start.lastDigits,
    completes_at: start.completesAt,
  });
}

/** Creates a pending transaction and emits PAYMENT_CREATED. */
export async function createTransaction(context: WriteContext, input: NewTransaction): Promise<TransactionRow> {
  const row = await insertTransaction(context, input);
  if (row.completes_at !== null) context.scheduleAt(row.completes_at);
  await emitPaymentEvent(context, "PAYMENT_CREATED", row);
  return row;
}

/** Inserts a transaction without an event. The default status is pending. */
export async function insertTransaction(context: WriteContext, input: NewTransaction): Promise<TransactionRow> {
  const row: TransactionRow = {
    ...defaults,
    ...input,
    transaction_id: context.service.ids.uuid(),
    public_id: context.service.ids.prefixed("txn"),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("transactions").values(row).execute();
  return row;
}

/** Updates the row and returns the updated transaction. The caller sets `updated_at`. */
export async function updateTransaction(
  { database }: WriteContext,
  transaction: TransactionRow,
  update: Partial<TransactionRow>,
): Promise<TransactionRow> {
  await database
    .updateTable("transactions")
    .set(update)
    .where("transaction_id", "=", transaction.transaction_id)
    .execute();
  return { ...transaction, ...update };
}

/** By UUID or by `txn_…`. @throws ApiError `not_found` */
export async function readTransaction(database: SandboxDatabase, id: string, owner?: Owner): Promise<TransactionRow> {
  const transactions = database.selectFrom("transactions").selectAll();
  const row = id.startsWith("txn_")
    ? await transactions.where("public_id", "=", id).executeTakeFirst()
    : await transactions.where("transaction_id", "=", id.toLowerCase()).executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Transaction");
  return row;
}

/** The newest failed transaction of a session. */
export function readLastFailedTransaction(
  database: SandboxDatabase,
  sessionId: string,
): Promise<TransactionRow | undefined> {
  const ofSession = database.selectFrom("transactions").selectAll().where("session_id", "=", sessionId);
  return ofSession.where("status", "=", "failed").orderBy("seq", "desc").executeTakeFirst();
}
