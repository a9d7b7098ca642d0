import type { StoreAnswer } from "@tillkit/core";
import type { SessionPayload } from "../operations/payments-operations.ts";

export function isInState(
  { paymentSession, userErrors }: SessionPayload,
  state: "Resolved" | "Rejected" | "Pending",
): boolean {
  return userErrors.length === 0 && paymentSession?.state.__typename === `PaymentSessionState${state}`;
}

/** Shopify has no query for a payment session, so its acknowledgement is the only evidence. */
export function acknowledgedAnswer(outcome: "recorded" | "already"): StoreAnswer {
  return { outcome, evidence: "acknowledged" };
}

/** Shopify never posted this session to us. */
export const SESSION_UNKNOWN: StoreAnswer = { outcome: "gone" };

/** The payment session was rejected, or was pending for too long. */
export const SESSION_CLOSED: StoreAnswer = { outcome: "not-payable", why: { kind: "attempt_ended" } };
