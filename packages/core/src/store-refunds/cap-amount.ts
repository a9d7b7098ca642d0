import { type Equation, equationsOf } from "../domain/equation.ts";
import type { Money } from "../domain/money.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";

/** `countedLeft`: what the store still counts as paid, after refunds. `refundedMinor`: what of our payment it counts as refunded. */
type Asked = { readonly amount: Money; readonly countedLeft: Money; readonly refundedMinor: number };

type Capped =
  | { readonly kind: "amount"; readonly amount: Money }
  | { readonly kind: "too_large"; readonly most: Money }
  | { readonly kind: "nothing_left"; readonly equation: Equation };

/**
 * The amount to send for what a store asks. A store takes the amount due for the paid amount, also where the owner accepted a smaller payment.
 * A refund of all that such a store still counts becomes a refund of the rest of what arrived: otherwise such an order could never be
 * refunded whole. Any other amount stays as it is.
 */
export function capAmount(
  payment: Payment,
  movements: Movements,
  { amount, countedLeft, refundedMinor }: Asked,
): Capped {
  const [equation] = equationsOf(payment, movements);
  const { received } = equation;
  // The engine refuses another currency.
  if (amount.currency !== countedLeft.currency || amount.currency !== received.currency)
    return { kind: "amount", amount };
  const minor = Math.min(countedLeft.minor, received.minor - refundedMinor);
  if (amount.minor > countedLeft.minor) return { kind: "too_large", most: { ...amount, minor: Math.max(0, minor) } };
  if (amount.minor < countedLeft.minor) return { kind: "amount", amount };
  return minor > 0 ? { kind: "amount", amount: { ...amount, minor } } : { kind: "nothing_left", equation };
}
