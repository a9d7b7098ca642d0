/** A call with all its tries; while a shopper waits, callers ask for less. */
export const DEFAULT_DEADLINE_MS = 15_000;
export const MAX_TRIES = 8;
export const FIRST_BACKOFF_MS = 250;
export const MAX_BACKOFF_MS = 8_000;
/** Spread over a `Retry-After`, so that many waiting callers do not come back in one moment. */
export const RETRY_AFTER_JITTER_MS = 250;
/** A hundred delivery logs with their bodies stay far below this. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
export const MAX_CONNECTIONS = 128;
export const MAX_IDLE_CONNECTIONS = 16;
/** Of a text that somebody else wrote: what is read of it, what an error keeps, and of how many fields. */
export const EXTERNAL_TEXT_READ_LENGTH = 4_000;
export const EXTERNAL_TEXT_MAX_LENGTH = 500;
export const MAX_ERROR_FIELDS = 50;
/** A timer beyond this would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;
/** Pages of one iteration; a list that goes on beyond this is filtered, not read. */
export const MAX_LIST_PAGES = 10_000;
/** Part of every rate window that only the opening of checkout sessions may use. */
export const CHECKOUT_RESERVE = 0.2;
/** The stricter of the service's two statements on rate limits, until its answers teach more; calls a minute and a day. */
export const DEFAULT_RATE_LIMITS = {
  test: { minute: 120, day: 20_000 },
  live: { minute: 60, day: 10_000 },
} as const;
/** However long the service asked to wait: then one call looks whether it still refuses. */
export const MAX_PAUSE_MS = 60_000;
