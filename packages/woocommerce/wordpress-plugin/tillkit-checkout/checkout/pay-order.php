<?php
/** Redirects a shopper to the hosted page, without an outbound request: a slow checkout server never slows the checkout. */

defined( 'ABSPATH' ) || exit;

/** How long an order is protected from cancellation after its shopper was redirected. */
const TILLKIT_OPEN_SECONDS = 10800;

/** Saves the meta that the checkout server reads: the return addresses, the language and the protection from cancellation. */
function tillkit_save_return_meta( WC_Order $order, string $return_url, int $now ): void {
	$open_until = max( $now + TILLKIT_OPEN_SECONDS, (int) $order->get_meta( '_tillkit_open_until' ) );
	$cancel_url = $order->get_checkout_payment_url();
	$order->update_meta_data( '_tillkit_return_url', $return_url );
	$order->update_meta_data( '_tillkit_cancel_url', $cancel_url );
	$order->update_meta_data( '_tillkit_return_sig', tillkit_sign_return( tillkit_order( $order ), $return_url, $cancel_url ) );
	$order->update_meta_data( '_tillkit_language', tillkit_language() );
	$order->update_meta_data( '_tillkit_open_until', (string) $open_until );
	// A failed order tells its shopper on the thank-you page not to wait, also while the next payment is on its way.
	if ( 'failed' === $order->get_status() ) {
		$order->set_status( 'pending' );
	}
	$order->save();
	tillkit_forget_shopper_status( tillkit_order( $order ) );
}
