<?php
/** Answers a thank-you page that asks how the payment stands. */

defined( 'ABSPATH' ) || exit;

/** The companion is asked at most once in so many seconds for each order, however many pages ask. */
const TILLKIT_WAIT_PAUSE = 4;

/** Who knows the order's key may know how its payment stands, and nothing else. */
function tillkit_answer_wait( WP_REST_Request $request ): WP_REST_Response {
	$order = wc_get_order( absint( $request->get_param( 'order' ) ) );
	$key   = $request->get_param( 'key' );
	if ( ! $order instanceof WC_Order || ! is_string( $key ) || ! hash_equals( (string) $order->get_order_key(), $key ) ) {
		return tillkit_respond( new WP_Error( 'tillkit_order_not_known', __( 'This order is not known here.', 'tillkit-checkout' ), array( 'status' => 404 ) ) );
	}
	$state = tillkit_state_of_order( $order ) ?? tillkit_state_at_companion( $order );
	return tillkit_respond(
		array(
			'state' => $state,
			'text'  => tillkit_wait_text( $state ),
		)
	);
}

/** What the order says by itself; null while it is unpaid. The owner may have set it to paid without any money of ours. */
function tillkit_state_of_order( WC_Order $order ): ?string {
	$paid_by = tillkit_paid_by( $order );
	if ( null === $paid_by ) {
		return null;
	}
	return in_array( $paid_by, array( 'outside', 'owner', 'unclear' ), true ) ? 'settled' : 'paid';
}

/** A companion that does not answer is no reason to tell the shopper anything but to wait. */
function tillkit_state_at_companion( WC_Order $order ): string {
	$memory = 'tillkit_wait_' . $order->get_id();
	$kept   = get_transient( $memory );
	if ( is_string( $kept ) && '' !== $kept ) {
		return $kept;
	}
	// Kept before the question as well, so that pages which ask meanwhile do not ask the companion again.
	set_transient( $memory, 'waiting', 30 );
	$answer = tillkit_ask(
		'status',
		array(
			'order'    => (string) $order->get_id(),
			'key'      => (string) $order->get_order_key(),
			'language' => tillkit_language(),
		)
	);
	$state  = is_wp_error( $answer ) ? 'waiting' : tillkit_wait_state( (array) ( $answer['payments'] ?? array() ) );
	set_transient( $memory, $state, TILLKIT_WAIT_PAUSE );
	return $state;
}

/**
 * What a shopper is told of all payments of an order. A verified payment is paid, even if the shop is not told yet.
 *
 * @param array $payments As the companion lists them.
 */
function tillkit_wait_state( array $payments ): string {
	$states = array_map( 'tillkit_wait_row', $payments );
	$say    = array(
		'paid'      => array( 'verified', 'recorded', 'duplicate' ),
		'held'      => array( 'review' ),
		'waiting'   => array( 'intent', 'open', 'review without money' ),
		'refunding' => array( 'refunding' ),
		'refunded'  => array( 'refunded' ),
		'lapsed'    => array( 'expired', 'closed', 'superseded' ),
	);
	foreach ( $say as $state => $any_of ) {
		if ( array() !== array_intersect( $states, $any_of ) ) {
			return $state;
		}
	}
	return 'waiting';
}

/**
 * The state of one payment. One that is looked into before any money of it was seen has not arrived.
 *
 * @param mixed $payment
 */
function tillkit_wait_row( $payment ): string {
	$row   = (array) $payment;
	$state = tillkit_text_of( $row, 'state' );
	return 'review' === $state && array_key_exists( 'received', $row ) && null === $row['received'] ? 'review without money' : $state;
}
