/** One entry of a payment's timeline. `explainPayment` turns `kind` and `detail` into a sentence. `detail` holds no personal data. */
export type TimelineEntry = {
  readonly paymentId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: "shopper" | "webhook" | "timer" | "store" | "operator";
  readonly kind: string;
  readonly detail: string;
};

/** Whether the timeline shows that this transaction failed. An empty `transactionId` names no transaction. */
export function hasFailedAttempt(timeline: readonly TimelineEntry[], transactionId: string): boolean {
  return timeline.some(
    ({ kind, detail }) => kind === "attempt_failed" && transactionId !== "" && detail.endsWith(transactionId),
  );
}
