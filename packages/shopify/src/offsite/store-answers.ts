import type { StoreAnswer } from "@tillkit/core";
import type { SessionPayload } from "../operations/payments-operations.ts";

export function isInState(
  { paymentSession, userErrors }: SessionPayload,
  state: "Resolved" | "Rejected" | "Pending",
): boolean {
  return userErrors.length === 0 && paymentSession?.state.__typename === `PaymentSessionState${state}`;
}

/** Shopify has no query for a payment session, so its acknowledgement is the only evidence. */
export function acknowledgedAnswer(outcome: "recorded" | "already", continueUrl: string | null): StoreAnswer {
  return { outcome, evidence: "acknowledged", ...(continueUrl === null ? {} : { continueUrl }) };
}

export function goneAnswer(attempt: string): StoreAnswer {
  return { outcome: "gone", detail: `Shopify never posted the session ${attempt}.` };
}

export function closedAnswer(reason: string): StoreAnswer {
  return { outcome: "not-payable", detail: `The payment session is closed: ${reason}.` };
}

export function paidByOtherAnswer(paymentId: string): StoreAnswer {
  return { outcome: "other-payment", detail: `The payment ${paymentId} pays this checkout.` };
}
