import type { FaultRequest } from "@tillkit/sandbox";

/** A fault without its route. */
export type FaultRule = Omit<FaultRequest, "method" | "path">;

export const OPEN = { method: "POST", path: "/checkout-sessions" } as const;
export const READ = { method: "GET", path: "/checkout-sessions/{id}" } as const;
export const REFUND = { method: "POST", path: "/refunds" } as const;
export const REFUND_READS = [
  { method: "GET", path: "/refunds" },
  { method: "GET", path: "/refunds/{id}" },
] as const;
export const TRANSACTION_READS = [
  { method: "GET", path: "/transactions" },
  { method: "GET", path: "/transactions/{id}" },
] as const;

/** Every error status of the service's API with each of its codes. */
export const refusals: Readonly<Record<string, FaultRule>> = {
  "400 bad_request": { status: 400, code: "bad_request" },
  "400 validation_failed": { status: 400, code: "validation_failed" },
  "400 amount_invalid": { status: 400, code: "amount_invalid" },
  "401 unauthorized": { status: 401, code: "unauthorized" },
  "403 forbidden": { status: 403, code: "forbidden" },
  "403 api_access_suspended": { status: 403, code: "api_access_suspended" },
  "404 not_found": { status: 404, code: "not_found" },
  "409 conflict": { status: 409, code: "conflict" },
  "409 idempotency_in_progress": { status: 409, code: "idempotency_in_progress" },
  "409 idempotency_key_reused": { status: 409, code: "idempotency_key_reused" },
  "429 rate_limit_exceeded": { status: 429, retryAfterSeconds: 2 },
  "500 internal_error": { status: 500 },
  "503 service_unavailable": { status: 503 },
};

/**
 * Answers to a read that do not show the payment or refund although it may exist: the errors that a read can get, and successes
 * without content.
 */
export const misleadingReads: Readonly<Record<string, FaultRule>> = {
  ...Object.fromEntries(Object.entries(refusals).filter(([name]) => !/idempotency|validation|amount/.test(name))),
  "200 with {}": { empty: "object" },
  "200 without a body": { empty: "body" },
};

/**
 * The answers to the repetition of a write: one refusal of each status, and every conflict. 429, 500 and 503 are left out, because
 * the client repeats the write after them.
 */
const REPEAT_REFUSALS: readonly string[] = [
  "400 bad_request",
  "401 unauthorized",
  "403 forbidden",
  "404 not_found",
  "409 conflict",
  "409 idempotency_in_progress",
  "409 idempotency_key_reused",
];

/** A write takes effect, its answer is lost, and its repetition is rejected. */
export const lostAnswerThenRefusal: Readonly<Record<string, readonly [FaultRule, FaultRule]>> = Object.fromEntries(
  Object.entries(refusals)
    .filter(([name]) => REPEAT_REFUSALS.includes(name))
    .map(([name, refusal]) => [
      name,
      [
        { when: "after", reset: true },
        { ...refusal, repeat: true },
      ],
    ]),
);

export function faultsAt(routes: readonly Pick<FaultRequest, "method" | "path">[], rule: FaultRule): FaultRequest[] {
  return routes.map((route) => ({ ...route, ...rule }));
}

/** A table with one fault for each rule: `make` returns the fault, and its name is the prefix followed by the name of the rule. */
export function faultPerRule<Fault>(
  prefix: string,
  rules: Readonly<Record<string, FaultRule>>,
  make: (rule: FaultRule) => Fault,
) {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`${prefix} ${name}`, make(rule)]));
}
