/** One line of a payment's story. `what` is a code that `explainPayment` turns into a sentence; `detail` is free of personal data. */
export type StoryLine = {
  readonly paymentId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly who: "shopper" | "webhook" | "timer" | "store" | "operator";
  readonly what: string;
  readonly detail: string;
};

/** Whether a try of the shopper is known to have failed. `transactionId` `""`: which one was not said. */
export function hasFailed(story: readonly StoryLine[], transactionId: string): boolean {
  return story.some(
    ({ what, detail }) => what === "attempt_failed" && transactionId !== "" && detail.endsWith(transactionId),
  );
}
