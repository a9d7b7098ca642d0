import { ApiError, conflict } from "../domain/api-error.ts";
import { cardOutcome, type PaymentOutcome } from "../domain/payment-methods.ts";
import { completeTransaction, failTransaction } from "../payments/payment-outcomes.ts";
import { createTransaction, updateTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { assertBrowserMayConfirm, type BrowserCredentials } from "./browser-confirmation.ts";
import type { CardCharge } from "./card-charge-json.ts";
import { readCardCharge } from "./card-charges.ts";

/**
 * Confirms a charge with a card number, as the browser does with the client secret. After a declined card the charge
 * accepts another card as a new attempt.
 * @throws ApiError `not_found`, `bad_request` for a number that is no test card, `conflict` when the charge takes no card any more, and
 *   the errors of {@link assertBrowserMayConfirm}
 */
export async function confirmCard(
  context: WriteContext,
  chargeId: string,
  { number, ...credentials }: BrowserCredentials & { number: string },
): Promise<CardCharge> {
  const digits = number.replace(/[\s-]/g, "");
  const outcome = cardOutcome(digits);
  if (outcome === null) throw new ApiError("bad_request", "number must be one of the test cards of the hosted page.");
  const { charge, transaction } = await readCardCharge(context.database, chargeId);
  await assertBrowserMayConfirm(context.database, charge, credentials);
  const attempt = await attemptFor(context, transaction);
  if (attempt.transaction_id !== charge.transaction_id) {
    charge.transaction_id = attempt.transaction_id;
    await context.database
      .updateTable("charges")
      .set({ transaction_id: attempt.transaction_id })
      .where("charge_id", "=", charge.charge_id)
      .execute();
  }
  const attemptWithCard = await recordCard(context, attempt, digits.slice(-4), outcome);
  if (outcome.status === "completed")
    return { charge, transaction: await completeTransaction(context, attemptWithCard) };
  if (outcome.status === "failed")
    return { charge, transaction: await failTransaction(context, attemptWithCard, outcome.failure) };
  return { charge, transaction: attemptWithCard };
}

/** The pending attempt, or a new attempt after a failed attempt. */
async function attemptFor(context: WriteContext, last: TransactionRow): Promise<TransactionRow> {
  if (last.status === "pending") return last;
  if (last.status !== "failed") {
    const { transaction_id, status } = last;
    throw conflict(`The payment of this charge is ${status}`, { transaction_id, status });
  }
  const { organization_id, environment, membership_id, account, provider_code, payment_method_code } = last;
  return createTransaction(context, {
    organization_id,
    environment,
    membership_id,
    account,
    provider_code,
    payment_method_code,
    customer_id: last.customer_id,
    subscription_id: last.subscription_id,
    description: last.description,
    quantity: last.quantity,
    gross_amount: last.gross_amount,
    currency_code: last.currency_code,
    metadata_json: last.metadata_json,
  });
}

async function recordCard(
  context: WriteContext,
  transaction: TransactionRow,
  lastDigits: string,
  outcome: PaymentOutcome,
): Promise<TransactionRow> {
  const update: Partial<TransactionRow> = {
    last_digits: lastDigits,
    awaits: outcome.status === "challenge" ? "challenge" : null,
    failure_after_challenge: outcome.status === "challenge" ? outcome.failureAfterChallenge : null,
    updated_at: context.now,
  };
  return await updateTransaction(context, transaction, update);
}
