/** The service keeps this part of a payment: basis points of the gross, rounded half up, never above the gross. */
export function calculateFee(gross: number, feeBps: number): number {
  // BigInt: gross × 10,000 may leave the safe integers.
  const fee = (BigInt(gross) * BigInt(feeBps) * 2n + 10_000n) / 20_000n;
  return Math.min(Number(fee), gross);
}
