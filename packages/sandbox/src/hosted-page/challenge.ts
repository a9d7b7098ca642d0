import type { HttpResponse } from "../http/http-response.ts";
import { answerChallenge } from "../payments/pay-session.ts";
import { readTransaction } from "../payments/transactions.ts";
import { inDatabaseTransaction } from "../runtime/service.ts";
import { redirectAfterAttempt } from "./checkout.ts";
import type { SessionPageCall } from "./page-request.ts";
import { readTransactionOfSession } from "./waiting.ts";
import { challengePage } from "./waiting-page.ts";

/** Shows the page of the bank that asks the cardholder to confirm (3-D Secure). */
export async function showChallenge(call: SessionPageCall): Promise<HttpResponse> {
  const transaction = await readTransactionOfSession(call);
  const awaitsChallenge = transaction.status === "pending" && transaction.awaits === "challenge";
  return awaitsChallenge ? challengePage(call.view, transaction) : redirectAfterAttempt(call.view, transaction);
}

/** Handles the answer of the cardholder. */
export async function handleChallengeAnswer(call: SessionPageCall): Promise<HttpResponse> {
  const { transaction_id } = await readTransactionOfSession(call);
  const isApproved = call.request.form.get("answer") === "approve";
  const updatedTransaction = await inDatabaseTransaction(call.service, async (context) => {
    const transaction = await readTransaction(context.database, transaction_id);
    const awaitsChallenge = transaction.status === "pending" && transaction.awaits === "challenge";
    // When the button was pressed twice, the first answer counts.
    return awaitsChallenge ? answerChallenge(context, transaction, { isApproved }) : transaction;
  });
  return redirectAfterAttempt(call.view, updatedTransaction);
}
