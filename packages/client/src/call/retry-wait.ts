import type { ServiceError } from "../errors/service-error.ts";
import type { Random } from "../system/clock.ts";
import { FIRST_BACKOFF_MS, MAX_ATTEMPTS, MAX_BACKOFF_MS, RETRY_AFTER_JITTER_MS } from "../system/limits.ts";

/** How long to wait before the next attempt, in milliseconds; null when the call must not be repeated. */
export function retryWait(error: ServiceError, attemptNumber: number, random: Random): number | null {
  if (!error.retryable || attemptNumber >= MAX_ATTEMPTS) return null;
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attemptNumber - 1));
  const backoff = longest * (0.5 + 0.5 * random.fraction());
  if (error.retryAfterMs === undefined || error.retryAfterMs === 0) return backoff;
  return error.retryAfterMs + RETRY_AFTER_JITTER_MS * random.fraction();
}

/** A `Retry-After` header, which holds seconds or a date, in milliseconds. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
