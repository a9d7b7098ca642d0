import { isRow, type Known, number, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

/** A charge over wave or mtn as an answer showed it; undefined = not said. */
export type MobileCharge = {
  readonly transactionId?: string | undefined;
  /** In lower case: charge answers write `PENDING` where transactions write `pending`. */
  readonly status?: Known<"pending" | "completed" | "failed"> | undefined;
  /** Where the customer approves it. */
  readonly launchUrl?: string | undefined;
  readonly referenceId?: string | undefined;
  readonly nextAction?: Row | undefined;
};

/** Null without a transaction id: nothing could be looked up later. */
export function readMobileCharge(answer: unknown): (MobileCharge & { readonly transactionId: string }) | null {
  const found = unwrapOne(answer, ["transaction_id", "transactionId"]);
  const transactionId = found && text(found, "transaction_id", "transactionId");
  if (!found || !transactionId) return null;
  return {
    transactionId,
    status: text(found, "status")?.toLowerCase(),
    launchUrl: text(found, "wave_launch_url", "checkout_url"),
    referenceId: text(found, "reference_id"),
    nextAction: row(found, "next_action") ?? (isRow(answer) ? row(answer, "next_action") : undefined),
  };
}

/**
 * A card charge as an answer showed it. The charged amount may have been converted, so it is left to `raw`: compare
 * `originalAmount` or the transaction.
 */
export type CardCharge = {
  /** `pi_…` */
  readonly id: string;
  /** For the payment elements in the customer's browser. */
  readonly clientSecret?: string | undefined;
  readonly status?:
    | Known<"requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled">
    | undefined;
  readonly originalAmount?: number | undefined;
  readonly originalCurrency?: string | undefined;
  readonly transactionId?: string | undefined;
};

export function readCardCharge(answer: unknown): CardCharge | null {
  const found = unwrapOne(answer, ["id"]);
  const id = found && text(found, "id");
  if (!found || !id) return null;
  return {
    id,
    clientSecret: text(found, "client_secret"),
    status: text(found, "status"),
    originalAmount: number(found, "original_amount"),
    originalCurrency: text(found, "original_currency"),
    transactionId: text(found, "transaction_id"),
  };
}
