import type { PluginPlace } from "@tillkit/php-bridge";

/** The id of our payment method in WooCommerce. */
export const GATEWAY = "tillkit";

/**
 * Whether the payment method of an order is ours. The plugin can show mobile money and card as two methods: their ids are on an order
 * until its pay link is made.
 */
export function isOwnMethod(paymentMethod: string): boolean {
  return OWN_METHODS.has(paymentMethod);
}

const OWN_METHODS: ReadonlySet<string> = new Set([GATEWAY, "tillkit_mobile_money", "tillkit_card"]);

/** Order meta keys that the plugin and the checkout server share. */
export const META = {
  returnUrl: "_tillkit_return_url",
  cancelUrl: "_tillkit_cancel_url",
  /** The plugin's signature of both addresses for this order. */
  returnSignature: "_tillkit_return_sig",
  language: "_tillkit_language",
  /** Seconds since 1970. WooCommerce does not cancel the unpaid order before this time. */
  openUntil: "_tillkit_open_until",
  /** The id of the payment that paid the order. */
  payment: "_tillkit_payment_id",
  /** The id of the order that this payment paid. Other plugins copy the meta of an order to renewals and duplicates. */
  paymentOrder: "_tillkit_payment_order",
  /** Seconds since 1970: when the checkout server put the order on hold. Empty after any later change of the status. */
  hold: "_tillkit_hold",
  /** Who set the order to paid by hand, and when. JSON, written by the plugin. */
  markedPaid: "_tillkit_set_paid",
  /** Why money of the order waits for a decision of the owner: `held`, `closed`, `duplicate`, `refund_failed`, with blanks between. */
  decision: "_tillkit_decision",
  /** The id of the payment of this order that was refunded in full, or that a lost dispute took back. It pays a reopened order no longer. */
  lost: "_tillkit_lost_payment",
  /** Why the owner must review the order: `refund_failed`, `refund_not_recorded`, `payment_unfinished` or `lost_to_dispute`. */
  attention: "_tillkit_attention",
  /** Meta of a refund: the id of the refund at the payment service. */
  refund: "_tillkit_refund_id",
} as const;

/** Where the plugin answers in a shop of WordPress. */
export const PLUGIN_PLACE: PluginPlace = {
  pathOf: (purpose) => `wp-json/tillkit/v1/${purpose}`,
  name: "/wp-json/tillkit/",
  noRoute: "rest_no_route",
};
