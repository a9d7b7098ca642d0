import type { ShopOrder } from "./shop.ts";

/** The field `paid_by` as PROTOCOL.md describes it. */
export function paidByOf(order: ShopOrder): string | null {
  const { status, datePaid, paymentMethod, transactionId, meta } = order;
  const isPaid = ["processing", "completed"].includes(status);
  if (datePaid === null && !isPaid) return null;
  if (OWN_METHODS.includes(paymentMethod) && meta._tillkit_payment_id) return meta._tillkit_payment_id;
  if (!["", ...OWN_METHODS].includes(paymentMethod) || transactionId !== "") return "outside";
  if (UNPAID_STATUSES.includes(status) || (status === "on-hold" && !isStaleHold(order))) return null;
  const decision = readOwnerDecision(order);
  if (decision) return decision.by === "" ? "unclear" : "owner";
  const knownStatus = isPaid || status === "on-hold";
  return knownStatus && !Object.keys(meta).some((key) => key.startsWith("_stripe_")) ? "owner" : "unclear";
}

/** Whether a late hold of the checkout server overwrote the paid status that the owner had set. */
export function isStaleHold({ status, datePaid, meta }: ShopOrder): boolean {
  return status === "on-hold" && datePaid !== null && (meta._tillkit_hold ?? "") !== "";
}

export type OwnerDecision = { readonly status: string; readonly by: string; readonly at: number };

export function readOwnerDecision({ meta }: ShopOrder): OwnerDecision | null {
  return meta._tillkit_set_paid ? (JSON.parse(meta._tillkit_set_paid) as OwnerDecision) : null;
}

/** The payment method, and the two that the plugin can show in its place. */
const OWN_METHODS: readonly string[] = ["tillkit", "tillkit_mobile_money", "tillkit_card"];

/** The statuses in which a payment can set the order to paid. */
export const PAYABLE_STATUSES: readonly string[] = ["pending", "failed", "on-hold", "checkout-draft"];

/** The statuses of an order that is not paid. */
export const UNPAID_STATUSES: readonly string[] = [
  "pending",
  "failed",
  "checkout-draft",
  "cancelled",
  "refunded",
  "trash",
];
