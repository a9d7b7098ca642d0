/** The limits of a call to a plugin. */
export const bridgeLimits = {
  /** Milliseconds. All calls of one adapter call are sent within the engine's `storeCallMs`. */
  callMs: 14_000,
  /** A list of orders may come through the plugin. */
  responseBytes: 4 * 1024 * 1024,
  /** Characters of a note that the plugin adds. A longer text ends with the last of them. */
  noteCharacters: 4_000,
  /** Payments of one order whose money has gone back, in a call about it. */
  returnedPayments: 100,
} as const;
