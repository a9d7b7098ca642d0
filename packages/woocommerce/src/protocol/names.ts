/** The payment method's id in WooCommerce: orders that were placed with it are ours. */
export const GATEWAY = "tillkit";

export const PROTOCOL = 1;

/** Order meta that plugin and companion share. */
export const META = {
  returnUrl: "_tillkit_return_url",
  cancelUrl: "_tillkit_cancel_url",
  language: "_tillkit_language",
  /** Seconds since 1970: until then the order is not cancelled for want of payment. */
  openUntil: "_tillkit_open_until",
  /** Which payment paid the order. */
  payment: "_tillkit_payment_id",
  /** Seconds since 1970: when the companion put the order on hold. Empty once somebody changed its status. */
  hold: "_tillkit_hold",
  /** Who set the order to paid by hand, and when: JSON of the plugin. */
  setPaid: "_tillkit_set_paid",
  /** Why the owner has to look. */
  attention: "_tillkit_attention",
  /** On a refund: the service's own name of it. */
  refund: "_tillkit_refund_id",
} as const;

/** What the plugin answers to a call that is signed with a secret it does not know. */
export const SIGNATURE_INVALID = "tillkit_signature_invalid";

/** Where the plugin answers, below the shop's address. */
export const PLUGIN_ROUTES = {
  settle: "wp-json/tillkit/v1/settle",
  hold: "wp-json/tillkit/v1/hold",
  ping: "wp-json/tillkit/v1/ping",
} as const;
