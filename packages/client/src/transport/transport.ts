/**
 * How one request travels. Rejects with whatever stopped it; a `ServiceError` with code `response_truncated` or
 * `response_too_large` says what happened to the body, anything else counts as `connection_failed`.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export type TransportRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
  /** A body beyond this is refused with `response_too_large`. */
  readonly maxBytes: number;
  /** false: opens a connection of its own, because this request must not be lost to a connection that just closed. */
  readonly reuseConnection: boolean;
};

export type TransportResponse = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};
