<?php
/** Puts an order on hold for review, unless the order no longer awaits a payment. */

defined( 'ABSPATH' ) || exit;

/**
 * The caller holds the lock of the order.
 *
 * @param array{order:string,key:string} $request
 * @param int                           $now     Seconds since 1970.
 * @return array The outcome: held, unchanged (or restored to the status of the owner) or gone.
 */
function tillkit_hold( array $request, int $now ): array {
	$order = tillkit_fresh_order( (int) $request['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $request['key'] ) ) {
		return tillkit_hold_outcome( 'gone', $request, null );
	}
	if ( tillkit_is_stale_hold( $order ) ) {
		tillkit_restore_owner_status( $order );
		return tillkit_hold_outcome( 'unchanged', $request, $order );
	}
	$awaits_payment = 'on-hold' !== $order->get_status() && tillkit_is_payable( $order );
	if ( ! $awaits_payment || null !== tillkit_paid_by( $order ) ) {
		return tillkit_hold_outcome( 'unchanged', $request, $order );
	}
	if ( ! $order->get_date_paid() ) {
		$order->update_meta_data( '_tillkit_hold', (string) $now );
	}
	$status = $order->get_status();
	$order->set_status( 'on-hold' );
	tillkit_save_unless_stale( $order, $status, array( $order, 'save' ) );
	return tillkit_hold_outcome( 'held', $request, $order );
}

function tillkit_hold_outcome( string $outcome, array $request, ?WC_Order $order ): array {
	return array(
		'outcome' => $outcome,
		'order'   => $request['order'],
		'status'  => $order ? $order->get_status() : null,
	);
}
