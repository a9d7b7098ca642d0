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
export const ERROR_MESSAGE_LENGTH = 500;
