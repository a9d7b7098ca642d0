import type { Language } from "../domain/money.ts";
import { explainChanged, explainRefusal, explainUnknownPayment } from "../texts/refusal-texts.ts";
import type { Decided } from "./decision.ts";

/** Why a decision was not carried out, for the person who decided. `decideAt`: the page on which a person decides. */
export function explainNotDone(
  decided: Exclude<Decided, { status: "done" }>,
  language: Language,
  decideAt: string | null = null,
): string {
  switch (decided.status) {
    case "changed":
      return explainChanged(language);
    case "unknown":
      return explainUnknownPayment(language);
    case "refused":
      return explainRefusal(decided.why, language, decideAt);
  }
}
