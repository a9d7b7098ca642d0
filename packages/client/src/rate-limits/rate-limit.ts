/** What an answer said about the limit that is closest; the service's API, "Limits". */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
};

/** Null where the answer does not carry all three headers. */
export function readRateLimit(headers: Readonly<Record<string, string>>): RateLimit | null {
  const limit = count(headers["x-ratelimit-limit"]);
  const remaining = count(headers["x-ratelimit-remaining"]);
  const windowSeconds = count(headers["x-ratelimit-window-seconds"]);
  if (limit === null || remaining === null || windowSeconds === null || limit < 1 || windowSeconds < 1) return null;
  return { limit, remaining, windowSeconds };
}

function count(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
