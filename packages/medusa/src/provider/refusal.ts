import { MedusaError } from "@medusajs/framework/utils";
import { codeOf } from "@tillkit/core";

/** Medusa answers a plain Error with an opaque 500; this one reaches the person who can act on it. */
export function notAllowed(message: string): Error {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message);
}

/** A CheckoutError's sentence is made for people; of anything else nobody but the log may hear. */
export function asRefusal(error: unknown): Error {
  if (error instanceof MedusaError) return error;
  const isSentence = error instanceof Error && error.name === "CheckoutError";
  const type = RETRY.has(codeOf(error)) ? MedusaError.Types.UNEXPECTED_STATE : MedusaError.Types.NOT_ALLOWED;
  if (isSentence) return new MedusaError(type, error.message);
  return new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    "The payment could not be looked up: try again in a moment.",
  );
}

const RETRY: ReadonlySet<string> = new Set(["service_unavailable", "ledger_busy", "refund_in_doubt"]);
