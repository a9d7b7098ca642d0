import { MedusaError } from "@medusajs/framework/utils";
import { codeOf, type Language } from "@tillkit/core";
import { engineText, type RefusalKey, refusalText } from "./refusal-words.ts";

/** A refusal that has not been put into words yet: whoever answers knows the language. */
class Refusal extends Error {
  readonly key: RefusalKey;

  constructor(key: RefusalKey) {
    super(refusalText(key, "en"));
    this.name = "Refusal";
    this.key = key;
  }
}

export function notAllowed(key: RefusalKey): Error {
  return new Refusal(key);
}

/**
 * What Medusa is told: it answers a plain Error with an opaque 500, and a MedusaError with its sentence. A CheckoutError's
 * sentence is made for people; of anything else nobody but the log may hear.
 */
export function asRefusal(error: unknown, language: Language): Error {
  if (error instanceof MedusaError) return error;
  if (error instanceof Refusal) {
    return new MedusaError(MedusaError.Types.NOT_ALLOWED, refusalText(error.key, language));
  }
  if (!(error instanceof Error) || error.name !== "CheckoutError") {
    return new MedusaError(MedusaError.Types.UNEXPECTED_STATE, refusalText("notLookedUp", language));
  }
  const code = codeOf(error);
  const type = RETRY.has(code) ? MedusaError.Types.UNEXPECTED_STATE : MedusaError.Types.NOT_ALLOWED;
  return new MedusaError(type, engineText(code, error.message, language));
}

const RETRY: ReadonlySet<string> = new Set(["service_unavailable", "ledger_busy", "refund_in_doubt"]);
