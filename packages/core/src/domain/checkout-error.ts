/** Every way in which the engine refuses. Compare `error.code`, never `instanceof`: two copies of the class can meet. */
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
  | "refund_key_reused"
  | "refund_in_doubt"
  | "refund_refused"
  | "ledger_busy"
  | "secret_unreadable"
  | "configuration_invalid";

/** `message` is one sentence a person can act on, without personal data. `retryable`: the same call may succeed later. */
export class CheckoutError extends Error {
  readonly code: CheckoutErrorCode;
  readonly retryable: boolean;
  readonly requestId: string | null;

  constructor(
    code: CheckoutErrorCode,
    message: string,
    options: { retryable?: boolean; requestId?: string | null; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CheckoutError";
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.requestId = options.requestId ?? null;
  }
}

/** The service's own name of the request that failed, where what was thrown knows it. */
export function requestIdOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("requestId" in error)) return null;
  return typeof error.requestId === "string" ? error.requestId : null;
}

/** `code` of anything that was thrown. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unexpected";
}
