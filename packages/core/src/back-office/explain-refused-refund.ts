import { codeOf } from "../domain/checkout-error.ts";
import type { Language } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { explainRefusal } from "../texts/refusal-texts.ts";
import { viewPayment } from "./back-office.ts";
import { refusalOf } from "./refusals.ts";

/**
 * Why a refund that a store asked for was refused until a person decides, in the owner's language and with the address of the page on which the
 * person decides. Null for every other error: a retry may help, or the store has a sentence of its own.
 */
export async function explainRefusedRefund(
  engine: Pick<Engine, "ledger" | "decisionUrl" | "clock">,
  payment: Payment,
  error: unknown,
  language: Language,
): Promise<string | null> {
  const code = codeOf(error);
  if (code !== "refund_over_dispute" && code !== "transaction_unknown") return null;
  const refusal = refusalOf(error, null, await viewPayment({ engine }, payment));
  return refusal && explainRefusal(refusal, language, engine.decisionUrl(payment));
}
