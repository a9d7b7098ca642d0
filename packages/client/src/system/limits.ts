/** For a call, including all retries. Callers that keep a shopper waiting pass a shorter deadline. */
export const DEFAULT_DEADLINE_MS = 15_000;
export const MAX_ATTEMPTS = 8;
export const FIRST_BACKOFF_MS = 250;
export const MAX_BACKOFF_MS = 8_000;
/** Added to `Retry-After`, so that many waiting callers do not return at the same moment. */
export const RETRY_AFTER_JITTER_MS = 250;
/** Far above the largest response, a page of a hundred delivery logs. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
export const MAX_CONNECTIONS = 128;
/** For a proxy's answer to CONNECT. The deadline of a call is usually shorter. */
export const TUNNEL_TIMEOUT_MS = 30_000;
/** A program talks to one service, or to a few of them. */
export const MAX_REMEMBERED_ORIGINS = 32;
/** How many characters of a response's text are searched for secrets and personal data; the rest is dropped. */
export const EXTERNAL_TEXT_READ_LENGTH = 4_000;
/** How many characters of the text remain in an error, after secrets and personal data are replaced. */
export const EXTERNAL_TEXT_MAX_LENGTH = 500;
/** The most fields, and the most messages of one field, that an error keeps of its response. */
export const MAX_ERROR_FIELDS = 50;
/** The longest timer of Node; a longer timer would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;
/** The most pages that one iteration reads. Filter a longer list. */
export const MAX_LIST_PAGES = 10_000;
/**
 * The share of every rate limit that is reserved for creating checkout sessions. All other calls may use only the rest of a limit, so
 * that they cannot keep a shopper from paying. A fraction from 0 to 1.
 */
export const CHECKOUT_RESERVE = 0.2;
/** Calls a minute and a day until responses report the real limit: the stricter of the two limits in API.md#rate-limits. */
export const DEFAULT_RATE_LIMITS = {
  test: { minute: 120, day: 20_000 },
  live: { minute: 60, day: 10_000 },
} as const;
/** A day: the longest window that the service counts calls in. */
export const LONGEST_WINDOW_SECONDS = 86_400;
/** Longest pause after a `Retry-After`; the next call then shows whether the service still refuses. */
export const MAX_PAUSE_MS = 60_000;
