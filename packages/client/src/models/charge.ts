import { isJsonObject, type JsonObject, numberField, type OpenEnum, objectField, stringField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/** A charge over wave or mtn as an answer showed it; undefined = not said. */
export type MobileCharge = {
  readonly transactionId?: string | undefined;
  /** In lower case: charge answers write `PENDING` where transactions write `pending`. */
  readonly status?: OpenEnum<"pending" | "completed" | "failed"> | undefined;
  /** Where the customer approves it. */
  readonly launchUrl?: string | undefined;
  readonly referenceId?: string | undefined;
  readonly nextAction?: JsonObject | undefined;
};

/** Null without a transaction id: nothing could be looked up later. */
export function readMobileCharge(answer: unknown): (MobileCharge & { readonly transactionId: string }) | null {
  const found = unwrapObject(answer, ["transaction_id", "transactionId"]);
  const transactionId = found && stringField(found, "transaction_id", "transactionId");
  if (!found || !transactionId) return null;
  return {
    transactionId,
    status: stringField(found, "status")?.toLowerCase(),
    launchUrl: stringField(found, "wave_launch_url", "checkout_url"),
    referenceId: stringField(found, "reference_id"),
    nextAction:
      objectField(found, "next_action") ?? (isJsonObject(answer) ? objectField(answer, "next_action") : undefined),
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
    | OpenEnum<"requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled">
    | undefined;
  readonly originalAmount?: number | undefined;
  readonly originalCurrency?: string | undefined;
  readonly transactionId?: string | undefined;
};

export function readCardCharge(answer: unknown): CardCharge | null {
  const found = unwrapObject(answer, ["id"]);
  const id = found && stringField(found, "id");
  if (!found || !id) return null;
  return {
    id,
    clientSecret: stringField(found, "client_secret"),
    status: stringField(found, "status"),
    originalAmount: numberField(found, "original_amount"),
    originalCurrency: stringField(found, "original_currency"),
    transactionId: stringField(found, "transaction_id"),
  };
}
