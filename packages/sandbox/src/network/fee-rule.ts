import type { Currency } from "../domain/currencies.ts";
import { calculateFee } from "../domain/fees.ts";

type Bounds = { minimum?: number | undefined; maximum?: number | undefined };

/**
 * The fee of an Operator for a payment. Amounts are in the wire unit of `currency_code`. A rule with a currency applies to
 * payments in that currency only.
 */
export type FeeRule =
  | { kind: "fixed"; amount: number; currency_code: Currency }
  | ({ kind: "percentage"; basis_points: number; currency_code?: Currency | undefined } & Bounds)
  | ({ kind: "blended"; amount: number; basis_points: number; currency_code: Currency } & Bounds);

/** The fee within the minimum and maximum of the rule, at most the payment amount. */
export function operatorFee(rule: FeeRule, gross: number): number {
  if (rule.kind === "fixed") return Math.min(rule.amount, gross);
  const fixed = rule.kind === "blended" ? rule.amount : 0;
  const fee = fixed + calculateFee(gross, rule.basis_points);
  return Math.min(Math.max(fee, rule.minimum ?? 0), rule.maximum ?? gross, gross);
}
