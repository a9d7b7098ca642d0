import type { HttpResponse } from "../http/http-response.ts";
import { answerChallenge } from "../payments/pay-session.ts";
import { readTransaction } from "../payments/transactions.ts";
import { inDatabaseTransaction } from "../runtime/service.ts";
import { afterAttempt } from "./checkout.ts";
import type { SessionPageRequest } from "./page-request.ts";
import { transactionOf } from "./waiting.ts";
import { challengePage } from "./waiting-page.ts";

/** The bank asks whether it is really the cardholder. */
export async function showChallenge(visit: SessionPageRequest): Promise<HttpResponse> {
  const transaction = await transactionOf(visit);
  const waits = transaction.status === "pending" && transaction.waits_for === "challenge";
  return waits ? challengePage(visit.view, transaction) : afterAttempt(visit.view, transaction);
}

/** The cardholder answered. */
export async function handleChallengeAnswer(visit: SessionPageRequest): Promise<HttpResponse> {
  const { transaction_id } = await transactionOf(visit);
  const approved = visit.request.form.get("answer") === "approve";
  const answered = await inDatabaseTransaction(visit.service, async (context) => {
    const transaction = await readTransaction(context.rows, transaction_id);
    const waits = transaction.status === "pending" && transaction.waits_for === "challenge";
    // Pressed twice: the first answer counts.
    return waits ? answerChallenge(context, transaction, approved) : transaction;
  });
  return afterAttempt(visit.view, answered);
}
