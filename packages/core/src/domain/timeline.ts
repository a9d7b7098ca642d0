import { fromWire, type Money } from "./money.ts";

/** One entry of a payment's timeline. `explainPayment` turns `kind` and `detail` into a sentence. `detail` holds no personal data. */
export type TimelineEntry = {
  readonly paymentId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: "shopper" | "webhook" | "timer" | "store" | "operator";
  readonly kind: string;
  readonly detail: string;
};

/** The detail of an entry about an amount, such as `5000 XOF` in minor units. */
export function amountDetail({ minor, currency }: Money): string {
  return `${minor} ${currency}`;
}

/** The reverse of `amountDetail`; null for every other detail. */
export function readAmountDetail(detail: string): Money | null {
  const [, minor, currency = ""] = /^(\d+) ([A-Z]{3})$/.exec(detail) ?? [];
  return minor === undefined ? null : fromWire(Number(minor), currency, "minor");
}

/** Who chose which transaction: the facts of an entry `transaction_named`. */
export type NamedTransaction = { readonly by: string; readonly transactionId: string };

export function namedTransactionDetail({ by, transactionId }: NamedTransaction): string {
  return JSON.stringify({ by, transactionId } satisfies NamedTransaction);
}

/** The facts of an entry `transaction_named`; null for every other entry. */
export function readNamedTransaction({
  kind,
  detail,
}: Pick<TimelineEntry, "kind" | "detail">): NamedTransaction | null {
  return kind === "transaction_named" && detail.startsWith("{") ? (JSON.parse(detail) as NamedTransaction) : null;
}

/** Whether the timeline shows that this transaction failed. An empty `transactionId` names no transaction. */
export function hasFailedAttempt(timeline: readonly TimelineEntry[], transactionId: string): boolean {
  return timeline.some(
    ({ kind, detail }) => kind === "attempt_failed" && transactionId !== "" && detail.endsWith(transactionId),
  );
}
