import type { ShopOrder } from "./shop.ts";

/** The field `paid_by` as PROTOCOL.md describes it. */
export function paidByOf(order: ShopOrder): string | null {
  const { status, datePaid, paymentMethod, transactionId, meta } = order;
  const hasPaidStatus = ["processing", "completed"].includes(status);
  if (datePaid === null && !hasPaidStatus) return null;
  const isOwnMethod = OWN_METHODS.includes(paymentMethod);
  const isCopied = hasCopiedPayment(order);
  if (isOwnMethod && meta._tillkit_payment_id && !isCopied)
    return isReopenedAfterLoss(order) ? null : meta._tillkit_payment_id;
  const isOtherMethod = paymentMethod !== "" && !isOwnMethod;
  if (isOtherMethod || (transactionId !== "" && !isCopied)) return "outside";
  if (UNPAID_STATUSES.includes(status) || (status === "on-hold" && !isStaleHold(order))) return null;
  return wasPaidByOwner(order) ? "owner" : "unclear";
}

/** The meta was copied from another order, whose id it names. */
export function hasCopiedPayment({ id, meta }: ShopOrder): boolean {
  return (meta._tillkit_payment_order ?? "") !== "" && meta._tillkit_payment_order !== String(id);
}

function wasPaidByOwner(order: ShopOrder): boolean {
  const decision = readOwnerDecision(order);
  if (decision) return decision.by !== "";
  // Another plugin may have set a status that WooCommerce does not know, or left its own meta.
  const isKnownStatus = ["processing", "completed", "on-hold"].includes(order.status);
  const hasOtherGateway = Object.keys(order.meta).some((key) => key.startsWith("_stripe_"));
  return isKnownStatus && !hasOtherGateway;
}

/** Whether a late hold of the checkout server overwrote the paid status that the owner had set. */
export function isStaleHold({ status, datePaid, meta }: ShopOrder): boolean {
  return status === "on-hold" && datePaid !== null && (meta._tillkit_hold ?? "") !== "";
}

export type OwnerDecision = { readonly status: string; readonly by: string; readonly at: number };

export function readOwnerDecision({ meta }: ShopOrder): OwnerDecision | null {
  return meta._tillkit_set_paid ? (JSON.parse(meta._tillkit_set_paid) as OwnerDecision) : null;
}

/** The payment method of the plugin, and the two methods that the plugin can show in its place. */
const OWN_METHODS: readonly string[] = ["tillkit", "tillkit_mobile_money", "tillkit_card"];

/** The status of a plugin for quotes, whose filter of `woocommerce_valid_order_statuses_for_payment` makes it payable. */
export const QUOTE_ACCEPTED = "quote-accepted";

/** The statuses in which a payment can set the order to paid. */
export const PAYABLE_STATUSES: readonly string[] = ["pending", "failed", "on-hold", "checkout-draft", QUOTE_ACCEPTED];

/** The statuses of an order that is not paid. */
export const UNPAID_STATUSES: readonly string[] = [
  "pending",
  "failed",
  "checkout-draft",
  "cancelled",
  "refunded",
  "trash",
  QUOTE_ACCEPTED,
];

/** The owner reopened the order after a lost dispute took its payment back. */
function isReopenedAfterLoss(order: ShopOrder): boolean {
  const { status, meta } = order;
  const isOpen = PAYABLE_STATUSES.includes(status) && !isStaleHold(order);
  return isOpen && meta._tillkit_lost_payment === meta._tillkit_payment_id;
}
