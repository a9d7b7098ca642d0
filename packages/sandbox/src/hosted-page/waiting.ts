import { notFound } from "../domain/api-error.ts";
import { type HttpResponse, jsonResponse } from "../http/http-response.ts";
import { readTransaction } from "../payments/transactions.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { redirectAfterAttempt } from "./checkout.ts";
import type { SessionPageCall } from "./page-request.ts";
import { waitingPage } from "./waiting-page.ts";

/** Shows the waiting page, or redirects when the payment is no longer pending. */
export async function showWaiting(call: SessionPageCall): Promise<HttpResponse> {
  const transaction = await readTransactionOfSession(call);
  const awaitsApproval = transaction.status === "pending" && transaction.awaits === "approval";
  return awaitsApproval ? waitingPage(call.view, transaction) : redirectAfterAttempt(call.view, transaction);
}

/** The status of the payment as `{state}`, which the script of the waiting page polls. */
export async function showStatus(call: SessionPageCall): Promise<HttpResponse> {
  const { status } = await readTransactionOfSession(call);
  return jsonResponse(200, { state: status }, { "Cache-Control": "no-store" });
}

/** @throws ApiError `not_found`, also for a transaction of another session */
export async function readTransactionOfSession({
  service,
  view,
  transactionId,
}: SessionPageCall): Promise<TransactionRow> {
  const transaction = await readTransaction(service.store.database, transactionId);
  if (transaction.session_id !== view.session.session_id) throw notFound("Transaction");
  return transaction;
}
