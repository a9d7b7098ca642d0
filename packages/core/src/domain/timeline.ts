/** One line of a payment's story. `what` is a code that `explainPayment` turns into a sentence; `detail` is free of personal data. */
export type TimelineEntry = {
  readonly paymentId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: "shopper" | "webhook" | "timer" | "store" | "operator";
  readonly kind: string;
  readonly detail: string;
};

/** Whether a try of the shopper is known to have failed. `transactionId` `""`: which one was not said. */
export function hasFailedAttempt(timeline: readonly TimelineEntry[], transactionId: string): boolean {
  return timeline.some(
    ({ kind, detail }) => kind === "attempt_failed" && transactionId !== "" && detail.endsWith(transactionId),
  );
}
