import { type Equation, equationsOf } from "../domain/equation.ts";
import type { Money } from "../domain/money.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import { isNamed } from "./shown-refund.ts";

/** `countedLeft`: what the store still counts as paid, after refunds. `refundedMinor`: what of our payment it counts as refunded. */
type Asked = { readonly amount: Money; readonly countedLeft: Money; readonly refundedMinor: number };

export type Capped =
  | { readonly kind: "amount"; readonly amount: Money }
  | { readonly kind: "too_large"; readonly most: Money }
  | { readonly kind: "never_arrived"; readonly equation: Equation };

/**
 * The amount to send for what a store asks. A store takes the amount due for the paid amount, also where the owner accepted a smaller payment.
 * A refund of all that such a store still counts becomes a refund of the rest of what arrived: otherwise such an order could never be
 * refunded whole. Any other amount stays as it is.
 */
export function amountToSend(
  payment: Payment,
  movements: Movements,
  { amount, countedLeft, refundedMinor }: Asked,
): Capped {
  const [equation] = equationsOf(payment, movements);
  const { received, available } = equation;
  const tooLarge = (most: number): Capped => ({ kind: "too_large", most: { ...amount, minor: Math.max(0, most) } });
  // The engine refuses another currency.
  if (amount.currency !== countedLeft.currency || amount.currency !== received.currency)
    return { kind: "amount", amount };
  const minor = Math.min(countedLeft.minor, received.minor - refundedMinor);
  if (amount.minor > countedLeft.minor) return tooLarge(Math.min(minor, available.minor));
  if (amount.minor < countedLeft.minor) return { kind: "amount", amount };
  if (minor > 0) return { kind: "amount", amount: { ...amount, minor } };
  // A payment of which nothing arrived is refused by the engine.
  return amount.minor > 0 && received.minor > 0 ? { kind: "never_arrived", equation } : { kind: "amount", amount };
}

/**
 * The same for a store that lists no refunds and repeats its keys: it counts those that it asked for. A repeated request sends what the first one
 * sent. What is too large is sent as it is: the engine refuses it after it has read the service's refunds.
 */
export function amountUnderKey(payment: Payment, movements: Movements, key: string, amount: Money): Money {
  const existing = movements.refunds.find((refund) => isNamed({ names: [key] }, refund));
  if (existing) return existing.amount;
  const [{ returned, leaving }] = equationsOf(payment, movements);
  const refundedMinor = returned.minor + leaving.minor;
  const countedLeft = { ...payment.amountDue, minor: payment.amountDue.minor - refundedMinor };
  const capped = amountToSend(payment, movements, { amount, countedLeft, refundedMinor });
  return capped.kind === "amount" ? capped.amount : amount;
}
