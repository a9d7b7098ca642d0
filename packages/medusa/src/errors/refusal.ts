import { MedusaError } from "@medusajs/framework/utils";
import { type Engine, explainRefusal, isRetryable, type Language, type Payment, type Refusal } from "@tillkit/core";
import { type Decided, explainNotDone } from "@tillkit/core/back-office";

type Reader = { readonly engine: Pick<Engine, "decisionUrl">; readonly options: { readonly language: Language } };

/** Why a decision about a payment was refused, with the address of its admin page where a person must decide first. Default: in the owner's language. */
export function refusalError(
  { engine, options }: Reader,
  payment: Payment,
  why: Refusal,
  language: Language = options.language,
): MedusaError {
  return notAllowed(explainRefusal(why, language, engine.decisionUrl(payment)), isRetryable(why));
}

/** Why a decision was not carried out. Medusa answers 404 about a payment that is not there. */
export function notDoneError(
  { engine }: Pick<Reader, "engine">,
  payment: Payment,
  decided: Exclude<Decided, { status: "done" }>,
  language: Language,
): MedusaError {
  const sentence = explainNotDone(decided, language, engine.decisionUrl(payment));
  if (decided.status === "unknown") return new MedusaError(MedusaError.Types.NOT_FOUND, sentence);
  return notAllowed(sentence, decided.status === "refused" && decided.retryable);
}

/** Medusa answers 500 to an unexpected state, so a client tries again, and 400 to what is not allowed. */
export function notAllowed(sentence: string, isRetryable = false): MedusaError {
  const { UNEXPECTED_STATE, NOT_ALLOWED } = MedusaError.Types;
  return new MedusaError(isRetryable ? UNEXPECTED_STATE : NOT_ALLOWED, sentence);
}
