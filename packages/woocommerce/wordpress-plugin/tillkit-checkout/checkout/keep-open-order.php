<?php
/** Keeps WooCommerce from cancelling an unpaid order while its shopper may be paying. */

defined( 'ABSPATH' ) || exit;

/**
 * The payment method of the order does not matter, because the shopper may have changed it while a payment is open.
 *
 * @param bool $cancel The decision of WooCommerce and other plugins.
 */
function tillkit_keep_open_order( $cancel, $order ) {
	$open_until = $order instanceof WC_Order ? (int) $order->get_meta( '_tillkit_open_until' ) : 0;
	return $open_until > time() ? false : $cancel;
}
