import { MedusaError } from "@medusajs/framework/utils";
import { codeOf, type Language } from "@tillkit/core";
import { type ErrorKey, type ErrorValues, engineErrorText, errorText } from "./error-texts.ts";

/** An error whose text is chosen later, by the code that answers the request and knows the language. */
class UserError extends Error {
  readonly key: ErrorKey;
  readonly values: ErrorValues;

  constructor(key: ErrorKey, values: ErrorValues) {
    super(errorText(key, "en", values));
    this.name = "UserError";
    this.key = key;
    this.values = values;
  }
}

export function userError(key: ErrorKey, values: ErrorValues = {}): Error {
  return new UserError(key, values);
}

/**
 * Medusa answers a plain Error with an opaque 500 and a MedusaError with its message. A CheckoutError's message is written
 * for people. Any other error may contain internals; it comes from a lookup, so the text says that the payment could not be read.
 */
export function toMedusaError(error: unknown, language: Language): Error {
  const ofMedusa = readMedusaError(error);
  if (ofMedusa) return ofMedusa;
  if (error instanceof UserError) {
    return new MedusaError(MedusaError.Types.NOT_ALLOWED, errorText(error.key, language, error.values));
  }
  if (!(error instanceof Error) || error.name !== "CheckoutError") {
    return new MedusaError(MedusaError.Types.UNEXPECTED_STATE, errorText("lookupFailed", language));
  }
  const code = codeOf(error);
  const type =
    "retryable" in error && error.retryable === true
      ? MedusaError.Types.UNEXPECTED_STATE
      : MedusaError.Types.NOT_ALLOWED;
  return new MedusaError(type, engineErrorText(code, error.message, language));
}

/** What a log line calls the error: the key of its text, Medusa's type of error, or its code. Never its message. */
export function logCodeOf(error: unknown): string {
  if (error instanceof UserError) return error.key;
  return readMedusaError(error) === null ? codeOf(error) : String((error as { type: unknown }).type);
}

const MEDUSA_TYPES: ReadonlySet<string> = new Set(Object.values(MedusaError.Types));

// A workflow passes the errors of its steps on as copies, so their class says nothing.
function readMedusaError(error: unknown): Error | null {
  if (error instanceof MedusaError) return error;
  if (typeof error !== "object" || error === null || !("type" in error) || !("message" in error)) return null;
  const { type, message } = error;
  return typeof type === "string" && MEDUSA_TYPES.has(type) ? new MedusaError(type, String(message)) : null;
}
