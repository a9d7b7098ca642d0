type Fraction = { fraction(): number };

export function pick<Value>(random: Fraction, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random.fraction() * values.length)] ?? values[0];
}

/** A whole number of milliseconds, at most `ms`. */
export function randomMs(random: Fraction, maxMs: number): number {
  return Math.floor(random.fraction() * maxMs);
}

/** `share`: 0 never, 1 always. */
export function happens(random: Fraction, probability: number): boolean {
  return random.fraction() < probability;
}
