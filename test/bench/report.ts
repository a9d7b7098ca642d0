/** Prints one measurement with its limit. A measurement over its limit fails the benchmark. */
export function report(what: string, measured: string, limit: string, isWithinLimit: boolean): void {
  console.log(`${what.padEnd(44)} ${measured}  (${limit})${isWithinLimit ? "" : "  MISSED"}`);
  if (!isWithinLimit) process.exitCode = 1;
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
