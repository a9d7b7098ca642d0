/** The fee of a payment: basis points of the gross amount, rounded half up, at most the gross amount. */
export function calculateFee(gross: number, feeBps: number): number {
  // BigInt, because gross × 10,000 can exceed the safe integers.
  const fee = (BigInt(gross) * BigInt(feeBps) * 2n + 10_000n) / 20_000n;
  return Math.min(Number(fee), gross);
}
