/**
 * Why a store cannot take a payment, or the record of a refund. Facts only: `explainNotPayable` makes the sentence.
 * `closed`: the order takes no payment and the store does not say why. `order_state`: the order is in this state of the platform.
 * `order_changed`: the order, or the attempt to pay it, was changed after the payment was started. `method_missing`: the order does
 * not wait for this payment method. `attempt_ended`: the platform has ended this attempt to pay. `left_unsettled`: the platform would
 * leave the order in this state, unpaid. `refunded_already`: the order shows its money as refunded. `refused_by_platform`: `code` is
 * the platform's own.
 */
export type NotPayable =
  | { readonly kind: "order_state" | "left_unsettled"; readonly state: string }
  | { readonly kind: "refused_by_platform"; readonly code: string | null }
  | { readonly kind: PlainReason };

const PLAIN_REASONS = [
  "closed",
  "cancelled",
  "sold_out",
  "total_changed",
  "order_changed",
  "part_missing",
  "part_authorized",
  "method_missing",
  "attempt_ended",
  "refunded_already",
] as const;

type PlainReason = (typeof PLAIN_REASONS)[number];

/** Reads what an adapter in plain JavaScript answered or another version stored. What is not known is the platform's own refusal. */
export function readNotPayable(value: unknown): NotPayable {
  const { kind, state, code } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const plain = PLAIN_REASONS.find((known) => known === kind);
  if (plain !== undefined) return { kind: plain };
  if ((kind === "order_state" || kind === "left_unsettled") && typeof state === "string") return { kind, state };
  return { kind: "refused_by_platform", code: typeof code === "string" ? code : null };
}
