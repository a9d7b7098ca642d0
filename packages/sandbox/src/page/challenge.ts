import type { Answer } from "../api/answer.ts";
import { answerChallenge } from "../payments/pay.ts";
import { readTransaction } from "../payments/transactions.ts";
import { changeState } from "../service/service.ts";
import { afterAttempt } from "./checkout.ts";
import type { Visit } from "./visit.ts";
import { transactionOf } from "./waiting.ts";
import { challengePage } from "./waiting-page.ts";

/** The bank asks whether it is really the cardholder. */
export async function showChallenge(visit: Visit): Promise<Answer> {
  const transaction = await transactionOf(visit);
  const waits = transaction.status === "pending" && transaction.waits_for === "challenge";
  return waits ? challengePage(visit.view, transaction) : afterAttempt(visit.view, transaction);
}

/** The cardholder answered. */
export async function answerBank(visit: Visit): Promise<Answer> {
  const { transaction_id } = await transactionOf(visit);
  const approved = visit.request.form.get("answer") === "approve";
  const answered = await changeState(visit.service, async (change) => {
    const transaction = await readTransaction(change.rows, transaction_id);
    const waits = transaction.status === "pending" && transaction.waits_for === "challenge";
    // Pressed twice: the first answer counts.
    return waits ? answerChallenge(change, transaction, approved) : transaction;
  });
  return afterAttempt(visit.view, answered);
}
