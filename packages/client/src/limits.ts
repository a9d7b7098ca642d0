/** A call with all its tries; while a shopper waits, callers ask for less. */
export const CALL_DEADLINE_MS = 15_000;
export const CALL_TRIES = 8;
export const FIRST_WAIT_MS = 250;
export const LONGEST_WAIT_MS = 8_000;
/** Spread over a `Retry-After`, so that many waiting callers do not come back in one moment. */
export const RETRY_AFTER_SPREAD_MS = 250;
/** A hundred delivery logs with their bodies stay far below this. */
export const ANSWER_BYTES = 8 * 1024 * 1024;
export const OPEN_CONNECTIONS = 128;
export const IDLE_CONNECTIONS = 16;
/** Of a text that somebody else wrote: what is read of it, what an error keeps, and of how many fields. */
export const FOREIGN_TEXT_READ = 4_000;
export const FOREIGN_TEXT_KEPT = 500;
export const ERROR_FIELDS = 50;
/** A timer beyond this would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;
/** Pages of one iteration; a list that goes on beyond this is filtered, not read. */
export const LIST_PAGES = 10_000;
/** Part of every rate window that only the opening of checkout sessions may use. */
export const CHECKOUT_RESERVE = 0.2;
/** The stricter of the service's two statements on rate limits, until its answers teach more; calls a minute and a day. */
export const UNTAUGHT_RATES = {
  test: { minute: 120, day: 20_000 },
  live: { minute: 60, day: 10_000 },
} as const;
/** However long the service asked to wait: then one call looks whether it still refuses. */
export const LONGEST_PAUSE_MS = 60_000;
