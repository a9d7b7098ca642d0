import type { StoreAnswer } from "@tillkit/core";
import type { SessionPayload } from "../operations/payments-operations.ts";

export function isInState(
  { paymentSession, userErrors }: SessionPayload,
  state: "Resolved" | "Rejected" | "Pending",
): boolean {
  return userErrors.length === 0 && paymentSession?.state.__typename === `PaymentSessionState${state}`;
}

/** Shopify has no query for a payment session, so its acknowledgement is the only evidence. */
export function acknowledged(outcome: "recorded" | "already", continueUrl: string | null): StoreAnswer {
  return { outcome, evidence: "acknowledged", ...(continueUrl === null ? {} : { continueUrl }) };
}

export function gone(attempt: string): StoreAnswer {
  return { outcome: "gone", detail: `Shopify never posted the session ${attempt}.` };
}

export function closed(reason: string): StoreAnswer {
  return { outcome: "not-payable", detail: `The payment session is closed: ${reason}.` };
}

export function paidByOther(paymentId: string): StoreAnswer {
  return { outcome: "other-payment", detail: `The payment ${paymentId} pays this checkout.` };
}
