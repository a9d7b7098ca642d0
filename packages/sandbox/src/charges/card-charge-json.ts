import type { Currency } from "../domain/currencies.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";

export type CardCharge = { charge: ChargeRow; transaction: TransactionRow };

export type CardChargeDetails = {
  client_secret: string;
  /** The amount that the card is charged. Its currency may differ from the currency of the transaction. */
  amount: number;
  currency: Currency;
  appearance: Record<string, unknown>;
};

/** The charge as the API returns it. Its status is the status of the newest attempt. */
export function cardChargeJson({ charge, transaction }: CardCharge): Record<string, unknown> {
  const { client_secret, amount, currency, appearance }: CardChargeDetails = JSON.parse(charge.details_json);
  const status = statusOf(transaction);
  const awaitsBrowser = status === "requires_payment_method" || status === "requires_action";
  return {
    success: true,
    data: {
      id: charge.charge_id,
      client_secret,
      amount,
      currency: currency.toLowerCase(),
      original_amount: transaction.gross_amount,
      original_currency: transaction.currency_code,
      status,
      appearance,
      transaction_id: transaction.transaction_id,
    },
    next_action: awaitsBrowser ? { type: "client_secret", client_secret } : null,
  };
}

function statusOf({ status, awaits }: TransactionRow): string {
  if (status === "completed" || status === "refunded") return "succeeded";
  if (status === "pending" && awaits === "challenge") return "requires_action";
  if (status === "pending" || status === "failed") return "requires_payment_method";
  return status === "held" ? "processing" : "canceled";
}
