import { MedusaError } from "@medusajs/framework/utils";
import { codeOf, type Language } from "@tillkit/core";
import { type ErrorKey, engineErrorText, errorText } from "./error-texts.ts";

/** An error whose text is chosen later, by the code that answers the request and knows the language. */
class UserError extends Error {
  readonly key: ErrorKey;

  constructor(key: ErrorKey) {
    super(errorText(key, "en"));
    this.name = "UserError";
    this.key = key;
  }
}

export function userError(key: ErrorKey): Error {
  return new UserError(key);
}

/**
 * Medusa answers a plain Error with an opaque 500 and a MedusaError with its message. A CheckoutError's message is written
 * for people. Any other error may contain internals; it comes from a lookup, so the text says that the payment could not be read.
 */
export function toMedusaError(error: unknown, language: Language): Error {
  if (error instanceof MedusaError) return error;
  if (error instanceof UserError) {
    return new MedusaError(MedusaError.Types.NOT_ALLOWED, errorText(error.key, language));
  }
  if (!(error instanceof Error) || error.name !== "CheckoutError") {
    return new MedusaError(MedusaError.Types.UNEXPECTED_STATE, errorText("lookupFailed", language));
  }
  const code = codeOf(error);
  const type = RETRYABLE_CODES.has(code) ? MedusaError.Types.UNEXPECTED_STATE : MedusaError.Types.NOT_ALLOWED;
  return new MedusaError(type, engineErrorText(code, error.message, language));
}

const RETRYABLE_CODES: ReadonlySet<string> = new Set(["service_unavailable", "ledger_busy", "refund_in_doubt"]);
