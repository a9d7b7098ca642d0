<?php
/** A refund without a confirmed result. Its key is stored on the order, so that a retry never makes a second refund. */

defined( 'ABSPATH' ) || exit;

/** @return array{key:string,amount:string}|null */
function tillkit_unconfirmed_refund( WC_Order $order ): ?array {
	$stored = json_decode( (string) $order->get_meta( '_tillkit_unconfirmed_refund' ), true );
	if ( ! is_array( $stored ) || ! is_string( $stored['key'] ?? null ) || ! is_string( $stored['amount'] ?? null ) ) {
		return null;
	}
	return array(
		'key'    => $stored['key'],
		'amount' => $stored['amount'],
	);
}

/** Stores a new key before the refund is sent. */
function tillkit_start_refund( WC_Order $order, string $amount ): array {
	$refund = array(
		'key'    => bin2hex( random_bytes( 16 ) ),
		'amount' => $amount,
	);
	$order->update_meta_data( '_tillkit_unconfirmed_refund', (string) wp_json_encode( $refund ) );
	$order->save_meta_data();
	return $refund;
}

function tillkit_finish_refund( WC_Order $order ): void {
	$order->delete_meta_data( '_tillkit_unconfirmed_refund' );
	$order->save_meta_data();
}
