import type { OpenEnum } from "../models/json-fields.ts";
import type { RateLimit } from "../rate-limits/rate-limit.ts";

/** What a caller may say about one call. */
export type CallOptions = {
  /** 1–255 printable ASCII characters. A write is repeated only under one. */
  readonly idempotencyKey?: string | undefined;
  /** Member Account `acct_…` an Operator acts for; null leaves the client's own `account` out. */
  readonly serviceAccount?: string | null | undefined;
  /** Pins the schema version of this call. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For the call with all its tries. Milliseconds. */
  readonly deadlineMs?: number | undefined;
};

/** For writes that the service refuses without a key. */
export type KeyedCallOptions = CallOptions & { readonly idempotencyKey: string };

/** For direct mobile-money charges. */
export type ScenarioCallOptions = KeyedCallOptions & {
  /** `X-Scenario-Key`: how a charge ends in the test environment; ignored in the live one. */
  readonly scenario?: OpenEnum<"pending" | "failed"> | undefined;
};

/** For reads, and for writes whose Idempotency-Key the service ignores. */
export type PlainCallOptions = Omit<CallOptions, "idempotencyKey">;

/** What came back. `raw` is the parsed answer as it was sent. */
export type ServiceResponse<T> = {
  readonly data: T;
  readonly raw: unknown;
  readonly status: number;
  readonly requestId: string | null;
  /** The service answered from its store of this Idempotency-Key. */
  readonly replayed: boolean;
  /** The limit that is closest, when the answer said so. */
  readonly rateLimit: RateLimit | null;
};
