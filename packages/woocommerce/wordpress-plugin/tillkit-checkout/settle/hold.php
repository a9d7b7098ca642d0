<?php
/** Puts an order on hold for its owner to look at, unless somebody decided about it meanwhile. */

defined( 'ABSPATH' ) || exit;

/**
 * Null when a field is missing or of another form.
 *
 * @return array{order:string,key:string}|null
 */
function tillkit_read_hold( array $body ): ?array {
	return tillkit_read_fields(
		$body,
		array(
			'order' => '/^[1-9][0-9]{0,18}\z/',
			'key'   => '/^[A-Za-z0-9_-]{1,100}\z/',
		)
	);
}

/**
 * To be called under the order's lock.
 *
 * @param int $now Seconds since 1970.
 * @return array The answer: held, kept (the status is as it was, or as the owner had set it) or gone.
 */
function tillkit_hold( array $wish, int $now ): array {
	$order = tillkit_fresh_order( (int) $wish['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $wish['key'] ) ) {
		return tillkit_hold_outcome( 'gone', $wish, null );
	}
	if ( tillkit_is_late_hold( $order ) ) {
		tillkit_restore_decision( $order );
		return tillkit_hold_outcome( 'kept', $wish, $order );
	}
	$waits = in_array( $order->get_status(), array( 'pending', 'failed', 'checkout-draft' ), true );
	if ( ! $waits || null !== tillkit_paid_by( $order ) ) {
		return tillkit_hold_outcome( 'kept', $wish, $order );
	}
	if ( ! $order->get_date_paid() ) {
		$order->update_meta_data( '_tillkit_hold', (string) $now );
	}
	$order->set_status( 'on-hold' );
	$order->save();
	return tillkit_hold_outcome( 'held', $wish, $order );
}

function tillkit_hold_outcome( string $outcome, array $wish, ?WC_Order $order ): array {
	return array(
		'outcome' => $outcome,
		'order'   => $wish['order'],
		'status'  => $order ? $order->get_status() : null,
	);
}
