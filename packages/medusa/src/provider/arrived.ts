import type { Payment } from "@tillkit/core";

/**
 * How much came of a payment, in minor units: what was asked for, unless its owner accepted another amount, which the
 * accepted finding keeps as "2279 USD".
 */
export function arrivedOf({ owed, waiver }: Payment): number {
  if (waiver?.finding.code !== "amount_differs") return owed.minor;
  const arrived = Number.parseInt(waiver.finding.found, 10);
  return Number.isSafeInteger(arrived) ? arrived : owed.minor;
}
