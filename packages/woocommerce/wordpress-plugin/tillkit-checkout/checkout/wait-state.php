<?php
/** Answers the thank-you page, which polls the payment status. */

defined( 'ABSPATH' ) || exit;

/** How long a status is cached for each order, so that many open pages make few calls to the checkout server. */
const TILLKIT_STATUS_CACHE_SECONDS = 4;

/** The order key gives access to the payment status and to nothing else. */
function tillkit_answer_payment_status( WP_REST_Request $request ): WP_REST_Response {
	$order = wc_get_order( absint( $request->get_param( 'order' ) ) );
	$key   = $request->get_param( 'key' );
	if ( ! $order instanceof WC_Order || ! is_string( $key ) || ! hash_equals( (string) $order->get_order_key(), $key ) ) {
		return tillkit_respond( new WP_Error( 'tillkit_order_not_known', __( 'This order does not exist.', 'tillkit-checkout' ), array( 'status' => 404 ) ) );
	}
	$state = tillkit_shopper_status_from_order( $order ) ?? tillkit_shopper_status_from_checkout_server( $order );
	return tillkit_respond(
		array(
			'state' => $state,
			'text'  => tillkit_shopper_status_text( $state ),
		)
	);
}

/**
 * The status of a paid order; null while it is unpaid. `paid_otherwise`: the order is paid, but not by a payment of this
 * plugin.
 */
function tillkit_shopper_status_from_order( WC_Order $order ): ?string {
	$paid_by = tillkit_paid_by( $order );
	if ( null === $paid_by ) {
		return null;
	}
	return in_array( $paid_by, array( 'outside', 'owner', 'unclear' ), true ) ? 'paid_otherwise' : 'paid';
}

/** The status from the checkout server. While the checkout server does not answer, the status is `waiting`. */
function tillkit_shopper_status_from_checkout_server( WC_Order $order ): string {
	$transient = 'tillkit_wait_' . $order->get_id();
	$cached    = get_transient( $transient );
	if ( is_string( $cached ) && '' !== $cached ) {
		return $cached;
	}
	// Cached before the call too, so that concurrent polls do not call the checkout server again.
	set_transient( $transient, 'waiting', 30 );
	$answer = tillkit_call_checkout_server(
		'status',
		array(
			'order'    => (string) $order->get_id(),
			'key'      => (string) $order->get_order_key(),
			'language' => tillkit_language(),
		)
	);
	$state = is_wp_error( $answer ) ? 'waiting' : tillkit_shopper_status( (array) ( $answer['payments'] ?? array() ) );
	set_transient( $transient, $state, TILLKIT_STATUS_CACHE_SECONDS );
	return $state;
}

/**
 * The status for the shopper from all payments of an order. A verified payment is paid even if the order does not show it yet.
 *
 * @param array $payments From the checkout server.
 */
function tillkit_shopper_status( array $payments ): string {
	$states = array_map( 'tillkit_payment_state', $payments );
	$groups = array(
		'paid'          => array( 'verified', 'recorded', 'duplicate' ),
		'held'          => array( 'review' ),
		'waiting'       => array( 'intent', 'open', 'review without money' ),
		'refunding'     => array( 'refunding' ),
		'refunded'      => array( 'refunded' ),
		'not_completed' => array( 'expired', 'closed', 'superseded' ),
	);
	foreach ( $groups as $status => $members ) {
		if ( array() !== array_intersect( $states, $members ) ) {
			return $status;
		}
	}
	return 'waiting';
}

/**
 * The state of one payment. `review without money`: the payment is under review, and no money has arrived yet.
 *
 * @param mixed $payment
 */
function tillkit_payment_state( $payment ): string {
	$row   = (array) $payment;
	$state = tillkit_text_field( $row, 'state' );
	return 'review' === $state && array_key_exists( 'received', $row ) && null === $row['received'] ? 'review without money' : $state;
}
