import type { RateLimit } from "../rate-limits/rate-limit.ts";

export type CallOptions = {
  /**
   * 1 to 255 printable ASCII characters. Pass a key of your own, stored before the call, to repeat a write after your process died.
   * Otherwise the client makes a key for the call and its retries; the response and an error name the key.
   */
  readonly idempotencyKey?: string | undefined;
  /** Member Account `acct_…` that an Operator acts for; null omits the client's own `account`. */
  readonly serviceAccount?: string | null | undefined;
  /** Pins the schema version of this call. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For the call, including all retries. */
  readonly deadlineMs?: number | undefined;
  /**
   * No attempt is sent after this moment, in milliseconds since 1970: for a write that must not happen late. The call then fails with
   * `not_sent`. Over `node:http` and `node:https` it is compared when the connection is ready, right before the first byte; over
   * `fetch` before the call of `fetch`, which may still connect.
   */
  readonly sendBy?: number | undefined;
};

/** For mobile-money charges. */
export type ScenarioCallOptions = CallOptions & {
  /** `X-Scenario-Key`: the outcome of the charge in the test environment; the live environment ignores it. */
  readonly scenario?: "pending" | "failed" | undefined;
};

/** For reads, and for writes whose Idempotency-Key the service would ignore. */
export type PlainCallOptions = Omit<CallOptions, "idempotencyKey">;

/** All options that a call may have. */
export type OperationOptions = CallOptions & { readonly scenario?: string | undefined };

export type ServiceResponse<T> = {
  readonly data: T;
  /** The parsed body as the service sent it. */
  readonly raw: unknown;
  readonly status: number;
  readonly requestId: string | null;
  /** The key that the request was sent under; null for a read, and for a write that takes no key. */
  readonly idempotencyKey: string | null;
  /** The service repeated the stored response of this Idempotency-Key. */
  readonly replayed: boolean;
  /** The rate limit with the fewest calls left, if the response reported a rate limit. */
  readonly rateLimit: RateLimit | null;
};
