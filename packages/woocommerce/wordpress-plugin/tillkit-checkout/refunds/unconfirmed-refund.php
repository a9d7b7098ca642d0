<?php
/**
 * A refund without a confirmed result. Its key is stored on the order, so that a retry never makes a second refund. The stored refund
 * names its order, because other plugins copy the meta of an order to its child orders.
 */

defined( 'ABSPATH' ) || exit;

/** @return array{key:string,amount:string,order:int,is_order_unknown:bool}|null */
function tillkit_unconfirmed_refund( WC_Order $order ): ?array {
	$stored = json_decode( (string) $order->get_meta( '_tillkit_unconfirmed_refund' ), true );
	if ( ! is_array( $stored ) || ! is_string( $stored['key'] ?? null ) || ! is_string( $stored['amount'] ?? null ) ) {
		return null;
	}
	// Earlier plugins stored no order.
	$stored_order = $stored['order'] ?? $order->get_id();
	if ( $order->get_id() !== $stored_order ) {
		return null;
	}
	return array(
		'key'              => $stored['key'],
		'amount'           => $stored['amount'],
		'order'            => $stored_order,
		'is_order_unknown' => true === ( $stored['is_order_unknown'] ?? false ),
	);
}

/** Stores a new key before the refund is sent. */
function tillkit_start_refund( WC_Order $order, string $amount ): array {
	$refund = array(
		'key'    => bin2hex( random_bytes( 16 ) ),
		'amount' => $amount,
		'order'  => $order->get_id(),
	);
	tillkit_store_refund( $order, $refund );
	return $refund;
}

/**
 * The checkout server does not know the order of this refund any more, so a click never gets its result. An earlier click may have
 * refunded the money: only a person can find out, in the dashboard of the service.
 */
function tillkit_leave_refund_to_owner( WC_Order $order, array $refund ): void {
	tillkit_store_refund( $order, array( 'is_order_unknown' => true ) + $refund );
}

function tillkit_store_refund( WC_Order $order, array $refund ): void {
	$order->update_meta_data( '_tillkit_unconfirmed_refund', (string) wp_json_encode( $refund ) );
	$order->save_meta_data();
}

function tillkit_finish_refund( WC_Order $order ): void {
	$order->delete_meta_data( '_tillkit_unconfirmed_refund' );
	$order->save_meta_data();
}
