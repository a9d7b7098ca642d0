/** One line of a payment's story. `what` is a code that `explainPayment` turns into a sentence; `detail` is free of personal data. */
export type StoryLine = {
  readonly paymentId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly who: "shopper" | "webhook" | "timer" | "store" | "operator";
  readonly what: string;
  readonly detail: string;
};
