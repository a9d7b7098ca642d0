import {
  enumField,
  type JsonObject,
  numberField,
  type OpenEnum,
  objectField,
  stringField,
  unwrapObject,
} from "./json-fields.ts";

/** A Wave or MTN charge as the service returned it. Fields missing from the response are undefined. */
export type MobileMoneyCharge = {
  readonly transactionId?: string | undefined;
  /** In lower case: the service writes `PENDING` in charges and `pending` in transactions. */
  readonly status?: OpenEnum<"pending" | "completed" | "failed"> | undefined;
  /** URL of the page where the customer approves the charge. */
  readonly launchUrl?: string | undefined;
  readonly referenceId?: string | undefined;
  readonly nextAction?: JsonObject | undefined;
};

/** Null without a transaction ID, because such a charge cannot be retrieved later. */
export function parseMobileMoneyCharge(
  response: unknown,
): (MobileMoneyCharge & { readonly transactionId: string }) | null {
  const fields = unwrapObject(response, ["transaction_id", "transactionId"]);
  const transactionId = fields && stringField(fields, "transaction_id", "transactionId");
  if (!fields || !transactionId) return null;
  return {
    transactionId,
    status: stringField(fields, "status")?.toLowerCase() as MobileMoneyCharge["status"],
    launchUrl: stringField(fields, "wave_launch_url", "checkout_url"),
    referenceId: stringField(fields, "reference_id"),
    nextAction: objectField(unwrapObject(response, ["next_action"]) ?? {}, "next_action"),
  };
}

/**
 * A card charge as the service returned it. Fields missing from the response are undefined. The service may charge in another
 * currency; that amount is only in the response's `raw`. Compare `originalAmount`, or the amount of the transaction.
 */
export type CardCharge = {
  /** `pi_…` */
  readonly id: string;
  /** Used by the card form in the customer's browser to confirm the payment. */
  readonly clientSecret?: string | undefined;
  readonly status?:
    | OpenEnum<"requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled">
    | undefined;
  readonly originalAmount?: number | undefined;
  readonly originalCurrency?: string | undefined;
  readonly transactionId?: string | undefined;
};

export function parseCardCharge(response: unknown): CardCharge | null {
  const fields = unwrapObject(response, ["id"]);
  const id = fields && stringField(fields, "id");
  if (!fields || !id) return null;
  return {
    id,
    clientSecret: stringField(fields, "client_secret"),
    status: enumField(fields, "status"),
    originalAmount: numberField(fields, "original_amount"),
    originalCurrency: stringField(fields, "original_currency"),
    transactionId: stringField(fields, "transaction_id"),
  };
}
