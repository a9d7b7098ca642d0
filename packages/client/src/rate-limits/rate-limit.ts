/** The rate limit with the fewest calls left, as a response reported it (API.md#rate-limits). */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
};

/** Null unless the response has all three headers. */
export function parseRateLimit(headers: Readonly<Record<string, string>>): RateLimit | null {
  const limit = count(headers["x-ratelimit-limit"]);
  const remaining = count(headers["x-ratelimit-remaining"]);
  const windowSeconds = count(headers["x-ratelimit-window-seconds"]);
  if (limit === null || remaining === null || windowSeconds === null || limit < 1 || windowSeconds < 1) return null;
  return { limit, remaining, windowSeconds };
}

function count(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
