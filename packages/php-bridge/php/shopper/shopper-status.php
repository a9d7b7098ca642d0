<?php
/** What a shopper's payment is, from what the checkout server knows about it. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * The status for the shopper from all payments of an order. A verified payment is paid even if the order does not show it yet.
 * `unknown`: the checkout server did not answer, or with states that this version does not know. `pending`: the shopper has
 * confirmed on the hosted page or on the phone, and the result is not known. `declined`: the latest attempt failed, and the hosted
 * page can still be paid.
 *
 * @param array $payments From the checkout server.
 */
function tillkit_shopper_status( array $payments ): string {
	$states = array_map( 'tillkit_shopper_payment_state', $payments );
	$groups = array(
		'paid'          => array( 'verified', 'recorded', 'duplicate' ),
		'held'          => array( 'review' ),
		'pending'       => array( 'pending' ),
		'declined'      => array( 'declined' ),
		'waiting'       => array( 'intent', 'open' ),
		'refunding'     => array( 'refunding' ),
		'refunded'      => array( 'refunded' ),
		'not_completed' => array( 'expired', 'closed', 'superseded' ),
	);
	foreach ( $groups as $status => $members ) {
		if ( array() !== array_intersect( $states, $members ) ) {
			return $status;
		}
	}
	return array() === $payments ? 'waiting' : 'unknown';
}

/** @param mixed $payment */
function tillkit_shopper_payment_state( $payment ): string {
	if ( '' !== tillkit_text_field( (array) $payment, 'lost' ) ) {
		return 'refunded';
	}
	$state = tillkit_text_field( (array) $payment, 'state' );
	if ( 'open' !== $state ) {
		return $state;
	}
	$states_by_attempt = array(
		'pending' => 'pending',
		'failed'  => 'declined',
	);
	return $states_by_attempt[ tillkit_text_field( (array) $payment, 'attempt' ) ] ?? 'open';
}
