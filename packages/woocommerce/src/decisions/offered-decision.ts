import { isAcceptable, type Money, type Payment } from "@tillkit/core";
import type { MoneyDecisions } from "@tillkit/runtime";

/** What the owner can decide about one payment whose money has arrived. */
export type OfferedDecision = {
  /** Names what was shown: state, difference and each movement of the money. A decision about anything else is refused. */
  readonly seen: string;
  readonly canAccept: boolean;
  /** The owner accepts this payment by setting the order to paid, because the order was closed meanwhile. */
  readonly acceptByStatus: boolean;
  /** The part of the money that can still be refunded; null when nothing can. */
  readonly refundable: Money | null;
};

/** Null for a payment that waits for no decision. */
export function offeredDecision(
  { state, finding, amountReceived }: Payment,
  { seen, equation: { available } }: MoneyDecisions,
): OfferedDecision | null {
  const isHeld = state === "review" && amountReceived !== null;
  if (!isHeld && state !== "duplicate") return null;
  return {
    seen,
    canAccept: isHeld && isAcceptable(finding),
    acceptByStatus: isHeld && finding?.code === "order_not_payable",
    refundable: available.minor > 0 ? available : null,
  };
}
