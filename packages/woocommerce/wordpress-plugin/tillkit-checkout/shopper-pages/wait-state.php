<?php
/** Answers the shopper's pages, which poll the payment status. */

defined( 'ABSPATH' ) || exit;

/** How long a status is cached for each order, so that many open pages make few calls to the checkout server. */
const TILLKIT_STATUS_CACHE_SECONDS = 4;

/** How long an order's pages do not call the checkout server again while it has not answered: longer than a call may take. */
const TILLKIT_STATUS_CALL_SECONDS = 30;

/** How long the last known status is kept, with which a page begins before it polls. */
const TILLKIT_KNOWN_STATUS_SECONDS = 3600;

/** The order key gives access to the payment status and to nothing else. */
function tillkit_answer_payment_status( WP_REST_Request $request ): WP_REST_Response {
	$order = wc_get_order( absint( $request->get_param( 'order' ) ) );
	$key   = $request->get_param( 'key' );
	if ( ! $order instanceof WC_Order || ! is_string( $key ) || ! hash_equals( (string) $order->get_order_key(), $key ) ) {
		return tillkit_respond( new WP_Error( 'tillkit_order_not_known', __( 'This order does not exist.', 'tillkit-checkout' ), array( 'status' => 404 ) ) );
	}
	$status = tillkit_shopper_status_from_order( $order ) ?? tillkit_shopper_status_from_checkout_server( $order );
	tillkit_set_to_failed( $order, $status );
	return tillkit_respond( tillkit_shopper_answer( $status, 'pay' === $request->get_param( 'place' ) ? 'pay' : 'thankyou' ) );
}

/**
 * The status of a paid order; null while it is unpaid. `paid_otherwise`: the order is paid, but not by a payment of this
 * plugin. Nobody is told that money has arrived which a lost dispute took back.
 */
function tillkit_shopper_status_from_order( WC_Order $order ): ?string {
	$paid_by = tillkit_paid_by( $order );
	if ( null === $paid_by ) {
		return null;
	}
	if ( (string) $order->get_meta( TILLKIT_LOST_PAYMENT_META ) === $paid_by ) {
		return 'refunded';
	}
	if ( in_array( $paid_by, array( 'outside', 'owner', 'unclear' ), true ) ) {
		return 'paid_otherwise';
	}
	// A reopened order names a payment that may have been refunded since: the checkout server knows.
	return tillkit_is_reopened( $order ) ? null : 'paid';
}

/** The status from the checkout server. While the checkout server does not answer, the status is `unknown`. */
function tillkit_shopper_status_from_checkout_server( WC_Order $order ): string {
	$transient = tillkit_status_transient( $order );
	$cached    = get_transient( $transient );
	if ( is_string( $cached ) && '' !== $cached ) {
		return $cached;
	}
	// Cached before the call too, so that concurrent polls do not call the checkout server again.
	set_transient( $transient, 'unknown', TILLKIT_STATUS_CALL_SECONDS );
	$answer = tillkit_call_checkout_server(
		'status',
		array(
			'order'    => (string) $order->get_id(),
			'key'      => (string) $order->get_order_key(),
			'language' => tillkit_language(),
		)
	);
	$state = is_wp_error( $answer ) ? 'unknown' : tillkit_shopper_status( (array) ( $answer['payments'] ?? array() ) );
	set_transient( $transient, $state, TILLKIT_STATUS_CACHE_SECONDS );
	if ( 'unknown' !== $state ) {
		set_transient( tillkit_known_status_transient( $order ), $state, TILLKIT_KNOWN_STATUS_SECONDS );
	}
	return $state;
}

function tillkit_status_transient( WC_Order $order ): string {
	return 'tillkit_wait_' . $order->get_id();
}

function tillkit_known_status_transient( WC_Order $order ): string {
	return 'tillkit_wait_known_' . $order->get_id();
}

/** The status with which a page begins, without a call: from the order, or the last known one. Null if none is known. */
function tillkit_first_shopper_status( WC_Order $order ): ?string {
	$known = get_transient( tillkit_known_status_transient( $order ) );
	return tillkit_shopper_status_from_order( $order ) ?? ( is_string( $known ) && '' !== $known ? $known : null );
}

/** Forgets the last known status, because it is about an earlier payment than the one that the shopper starts now. */
function tillkit_forget_shopper_status( WC_Order $order ): void {
	delete_transient( tillkit_known_status_transient( $order ) );
	delete_transient( tillkit_status_transient( $order ) );
}
