import { LONGEST_WINDOW_SECONDS } from "../system/limits.ts";

/** The rate limit with the fewest calls left, as a response reported it (API.md#rate-limits). */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
};

/** Null unless the response has all three headers, with a window that a service may have. */
export function parseRateLimit(headers: Readonly<Record<string, string>>): RateLimit | null {
  const limit = parseCount(headers["x-ratelimit-limit"]);
  const remaining = parseCount(headers["x-ratelimit-remaining"]);
  const windowSeconds = parseCount(headers["x-ratelimit-window-seconds"]);
  if (limit === null || remaining === null || windowSeconds === null || limit < 1 || windowSeconds < 1) return null;
  // It would hold back every call of the key until the process ends.
  if (windowSeconds > LONGEST_WINDOW_SECONDS) return null;
  return { limit, remaining, windowSeconds };
}

function parseCount(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
