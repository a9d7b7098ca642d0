/**
 * The closed list of error codes of the engine. Compare `error.code` and never use `instanceof`: a process may load two copies
 * of the class, one as ESM and one as CommonJS.
 */
export type CheckoutErrorCode =
  | "amount_invalid"
  | "currency_not_supported"
  | "order_not_payable"
  | "environment_differs"
  | "store_not_known"
  | "credential_not_known"
  | "payment_not_found"
  | "session_refused"
  | "session_unusable"
  | "service_unavailable"
  | "review_not_acceptable"
  | "refund_not_possible"
  | "refund_too_large"
  | "refund_over_dispute"
  | "refund_key_reused"
  | "refund_in_doubt"
  | "refund_refused"
  | "refund_reason_refused"
  | "installation_unknown"
  | "dispute_not_decidable"
  | "transaction_unknown"
  | "transaction_not_possible"
  | "write_in_flight"
  | "ledger_busy"
  | "secret_unreadable"
  | "configuration_invalid";

/** `message` is one sentence that tells a person what to do. It holds no personal data. `retryable`: the same call may succeed later. */
export class CheckoutError extends Error {
  readonly code: CheckoutErrorCode;
  readonly retryable: boolean;
  readonly requestId: string | null;
  /** When the same call may be tried again, in milliseconds since 1970; null where this time is unknown. */
  readonly retryAt: number | null;

  constructor(
    code: CheckoutErrorCode,
    message: string,
    options: { retryable?: boolean; requestId?: string | null; retryAt?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CheckoutError";
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.requestId = options.requestId ?? null;
    this.retryAt = options.retryAt ?? null;
  }
}

/** The error of a decision that met a payment that changed while it was made. */
export function changedMeanwhile(): CheckoutError {
  return new CheckoutError("ledger_busy", "The payment changed meanwhile: look at it again, then decide.", {
    retryable: true,
  });
}

/** When a call that an open circuit breaker refused may be tried, in milliseconds since 1970; null for every other error. */
export function retryAtOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("retryAt" in error)) return null;
  return typeof error.retryAt === "number" ? error.retryAt : null;
}

/** The service's id of the failed request; null where the error names no request. */
export function requestIdOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("requestId" in error)) return null;
  return typeof error.requestId === "string" ? error.requestId : null;
}

/** Errors of a checkout that stay until the merchant changes something. `owner` is a store's error. */
const MERCHANT_MUST_ACT: ReadonlySet<string> = new Set([
  "session_refused",
  "session_unusable",
  "amount_invalid",
  "currency_not_supported",
  "environment_differs",
  "store_not_known",
  "credential_not_known",
  "configuration_invalid",
  "owner",
] satisfies (CheckoutErrorCode | "owner")[]);

/** Whether it does not help a shopper to try again. */
export function mustMerchantAct(code: string): boolean {
  return MERCHANT_MUST_ACT.has(code);
}

/** The `code` of a thrown value; `"unexpected"` for a value without a code. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unexpected";
}
