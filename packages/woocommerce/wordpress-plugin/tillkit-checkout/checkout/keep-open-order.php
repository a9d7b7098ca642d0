<?php
/** WooCommerce cancels unpaid orders after a while; not one whose shopper may be paying just now. */

defined( 'ABSPATH' ) || exit;

/**
 * Looks at the order alone, not at its payment method: the shopper may have changed that while a payment is open.
 *
 * @param bool $cancel What WooCommerce and others decided.
 */
function tillkit_keep_open_order( $cancel, $order ) {
	$open_until = $order instanceof WC_Order ? (int) $order->get_meta( '_tillkit_open_until' ) : 0;
	return $open_until > time() ? false : $cancel;
}
