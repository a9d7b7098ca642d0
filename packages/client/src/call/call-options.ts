import type { OpenEnum } from "../models/json-fields.ts";
import type { RateLimit } from "../rate-limits/rate-limit.ts";

export type CallOptions = {
  /** 1 to 255 printable ASCII characters. The client repeats a write only under a key. */
  readonly idempotencyKey?: string | undefined;
  /** Member Account `acct_…` that an Operator acts for; null omits the client's own `account`. */
  readonly serviceAccount?: string | null | undefined;
  /** Pins the schema version of this call. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For the call, including all retries. */
  readonly deadlineMs?: number | undefined;
};

/** For writes that require an Idempotency-Key. */
export type KeyedCallOptions = CallOptions & { readonly idempotencyKey: string };

/** For mobile-money charges. */
export type ScenarioCallOptions = KeyedCallOptions & {
  /** `X-Scenario-Key`: the outcome of the charge in the test environment; the live environment ignores it. */
  readonly scenario?: OpenEnum<"pending" | "failed"> | undefined;
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
  /** The service repeated the stored response of this Idempotency-Key. */
  readonly replayed: boolean;
  /** The rate limit with the fewest calls left, if the response reported one. */
  readonly rateLimit: RateLimit | null;
};
