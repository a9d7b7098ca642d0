import { UsageError } from "./usage-error.ts";

/** @throws UsageError unless the text is a whole number from 1 to `max` */
export function parseCount(name: string, text: string, max: number): number {
  const count = Number(text);
  if (/^\d{1,16}$/.test(text) && count >= 1 && count <= max) return count;
  throw new UsageError(`The option --${name} must be a whole number from 1 to ${max}, not "${text}".`);
}

/** @throws UsageError unless the text is a whole number above 0, the form of amounts at the service */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (/^\d{1,16}$/.test(text) && amount > 0 && Number.isSafeInteger(amount)) return amount;
  throw new UsageError(
    `The amount must be a whole number in the service's unit, such as 5000 for 5,000 F CFA or 1250 for 12.50 EUR, not "${text}".`,
  );
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds. @throws UsageError unless the text is like `90s`, `15m`, `2h` or `7d` */
export function parseDuration(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (milliseconds > 0) return milliseconds;
  throw new UsageError(`A duration must look like 90s, 15m, 2h or 7d, not "${text}".`);
}
