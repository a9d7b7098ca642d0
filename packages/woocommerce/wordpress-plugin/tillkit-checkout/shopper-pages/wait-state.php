<?php
/** Answers the shopper's pages, which poll the payment status. */

defined( 'ABSPATH' ) || exit;

/** The order key gives access to the payment status and to nothing else. */
function tillkit_answer_payment_status( WP_REST_Request $request ): WP_REST_Response {
	$order = wc_get_order( absint( $request->get_param( 'order' ) ) );
	$key   = $request->get_param( 'key' );
	if ( ! $order instanceof WC_Order || ! is_string( $key ) || ! hash_equals( (string) $order->get_order_key(), $key ) ) {
		return tillkit_respond( new Tillkit_Error( 'tillkit_order_not_known', __( 'This order does not exist.', 'tillkit-checkout' ), 404 ) );
	}
	$status = tillkit_shopper_status_from_order( $order ) ?? tillkit_shopper_status_from_checkout_server( tillkit_order( $order ) );
	tillkit_set_to_failed( $order, $status );
	return tillkit_respond( tillkit_shopper_answer( $status, 'pay' === $request->get_param( 'place' ) ? 'pay' : 'thankyou' ) );
}

/** The status of a paid order; null while it is unpaid. */
function tillkit_shopper_status_from_order( WC_Order $order ): ?string {
	$status = tillkit_shopper_status_of_paid( tillkit_order( $order ), tillkit_paid_by( $order ) );
	// A reopened order names a payment that may have been refunded since: the checkout server knows.
	return 'paid' === $status && tillkit_is_reopened( $order ) ? null : $status;
}

/** The status with which a page begins, without a call: from the order, or the last known one. Null if none is known. */
function tillkit_first_shopper_status( WC_Order $order ): ?string {
	$known = tillkit_known_shopper_status( tillkit_order( $order ) );
	return tillkit_shopper_status_from_order( $order ) ?? ( '' === $known ? null : $known );
}
