type Fraction = { fraction(): number };

export function pick<Value>(random: Fraction, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random.fraction() * values.length)] ?? values[0];
}

/** Returns a random whole number of milliseconds below `maxMs`. */
export function randomMs(random: Fraction, maxMs: number): number {
  return Math.floor(random.fraction() * maxMs);
}

/** Returns true with this probability. */
export function happens(random: Fraction, probability: number): boolean {
  return random.fraction() < probability;
}
