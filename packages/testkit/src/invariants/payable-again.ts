import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const payableAgain: Invariant = {
  id: "R4",
  title:
    "An order without a completed payment can be paid again ten minutes after the last fault, whatever the service answered before.",
  findViolations: (evidence) => [...heldWithoutPayment(evidence), ...stillUnpayable(evidence)],
};

function heldWithoutPayment({ payAttempts }: Evidence): string[] {
  return payAttempts
    .filter(({ status, hasCompletedSession }) => status === "held" && !hasCompletedSession)
    .map(({ orderId }) => `the shopper of ${orderId} was told that a payment arrived, but none did`);
}

function stillUnpayable({ payAttempts }: Evidence): string[] {
  return payAttempts
    .filter(
      ({ mustSucceed, hasCompletedSession, status }) => mustSucceed && !hasCompletedSession && status !== "redirect",
    )
    .map(
      ({ orderId, status }) =>
        `${orderId} could not be paid ten minutes after the last fault: ${status ?? "no answer"}`,
    );
}
