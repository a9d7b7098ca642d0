import { cardOutcome, type Outcome } from "../payments/methods.ts";
import { completeTransaction, createTransaction, failTransaction } from "../payments/transactions.ts";
import { Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { type CardCharge, readCardCharge } from "./card-charges.ts";

/**
 * What the browser does with the client secret: a card number for this charge. A declined card may be followed by
 * another one, which is another attempt.
 * @throws Refusal `not_found`, `bad_request` for a number that is no test card, `conflict` when the charge is over
 */
export async function confirmCard(change: Change, chargeId: string, number: unknown): Promise<CardCharge> {
  const digits = typeof number === "string" ? number.replace(/[\s-]/g, "") : "";
  const outcome = cardOutcome(digits);
  if (outcome === null) throw new Refusal("bad_request", "number must be one of the test cards of the hosted page.");
  const { charge, transaction } = await readCardCharge(change.rows, chargeId);
  const attempt = await attemptFor(change, transaction);
  if (attempt.transaction_id !== charge.transaction_id) {
    charge.transaction_id = attempt.transaction_id;
    await change.rows
      .updateTable("charges")
      .set({ transaction_id: attempt.transaction_id })
      .where("charge_id", "=", charge.charge_id)
      .execute();
  }
  const begun = await take(change, attempt, digits.slice(-4), outcome);
  if (outcome.say === "completed") return { charge, transaction: await completeTransaction(change, begun) };
  if (outcome.say === "failed") return { charge, transaction: await failTransaction(change, begun, outcome.failure) };
  return { charge, transaction: begun };
}

/** The attempt that is still open, or after a failed one a new one of the same kind. */
async function attemptFor(change: Change, last: TransactionRow): Promise<TransactionRow> {
  if (last.status === "pending") return last;
  if (last.status !== "failed") throw new Refusal("conflict", `The payment of this charge is ${last.status}`);
  const { organization_id, environment, membership_id, account, provider_code, payment_method_code } = last;
  return createTransaction(change, {
    ...{ organization_id, environment, membership_id, account, provider_code, payment_method_code },
    customer_id: last.customer_id,
    subscription_id: last.subscription_id,
    description: last.description,
    quantity: last.quantity,
    gross_amount: last.gross_amount,
    currency_code: last.currency_code,
    metadata_json: last.metadata_json,
  });
}

async function take(
  change: Change,
  transaction: TransactionRow,
  lastDigits: string,
  outcome: Outcome,
): Promise<TransactionRow> {
  const step: Partial<TransactionRow> = {
    last_digits: lastDigits,
    waits_for: outcome.say === "challenge" ? "challenge" : null,
    after_challenge: outcome.say === "challenge" ? outcome.thenFails : null,
    updated_at: change.now,
  };
  await change.rows
    .updateTable("transactions")
    .set(step)
    .where("transaction_id", "=", transaction.transaction_id)
    .execute();
  return { ...transaction, ...step };
}
