<?php
/** A refund that was sent and whose answer was lost: its key is kept, so that asking again is never a second refund. */

defined( 'ABSPATH' ) || exit;

/** @return array{key:string,amount:string}|null */
function tillkit_refund_doubt( WC_Order $order ): ?array {
	$kept = json_decode( (string) $order->get_meta( '_tillkit_refund_doubt' ), true );
	if ( ! is_array( $kept ) || ! is_string( $kept['key'] ?? null ) || ! is_string( $kept['amount'] ?? null ) ) {
		return null;
	}
	return array(
		'key'    => $kept['key'],
		'amount' => $kept['amount'],
	);
}

/** Keeps a new key before anything is sent. */
function tillkit_begin_refund( WC_Order $order, string $amount ): array {
	$doubt = array(
		'key'    => bin2hex( random_bytes( 16 ) ),
		'amount' => $amount,
	);
	$order->update_meta_data( '_tillkit_refund_doubt', (string) wp_json_encode( $doubt ) );
	$order->save_meta_data();
	return $doubt;
}

function tillkit_end_refund( WC_Order $order ): void {
	$order->delete_meta_data( '_tillkit_refund_doubt' );
	$order->save_meta_data();
}
