import type { SendBy } from "./send-by.ts";

/**
 * Sends one request. Rejects with a `ServiceError` `response_truncated` or `response_too_large` when the body fails, and `not_sent`
 * when no byte was sent; the client treats every other rejection as `connection_failed`.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export type TransportRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
  /**
   * Calls `run` when `signal` aborts, until the returned function is called. Costs less than `signal`, which is created when it is
   * first read.
   */
  readonly onAbort?: (run: () => void) => () => void;
  /** A larger body is rejected with `response_too_large`. */
  readonly maxBytes: number;
  /** False for a request that must not be repeated: the service may close an idle connection at the moment of a request. */
  readonly reuseConnection: boolean;
  /**
   * The request is not sent after this moment. Compare it as late as possible: when the connection is ready, before the first byte.
   * Otherwise reject with `not_sent`.
   */
  readonly sendBy?: SendBy | undefined;
};

export type TransportResponse = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};
