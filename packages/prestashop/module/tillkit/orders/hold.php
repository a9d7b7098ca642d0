<?php
/** Puts an order on hold for review, unless it no longer awaits a payment. */

defined( '_PS_VERSION_' ) || exit;

/**
 * The caller holds the lock of the order. Only a waiting order is held: a cancelled order has given its stock back, and a later paid state would not
 * take it again.
 *
 * @param array{order:string,key:string} $request
 */
function tillkit_hold( array $request ): array {
	$order   = tillkit_order_of_call( $request );
	$is_held = null !== $order && null === tillkit_paid_by( $order ) && array( tillkit_state( 'waiting' ) ) === array_values( array_unique( $order->states() ) );
	if ( $is_held ) {
		tillkit_set_states( $order, 'waiting', tillkit_state( 'review' ) );
		$order = tillkit_fresh_order( (int) $order->id() );
	}
	return array(
		'outcome' => null === $order ? 'gone' : ( $is_held ? 'held' : 'unchanged' ),
		'order'   => $request['order'],
		'status'  => null === $order ? null : $order->status(),
	);
}
