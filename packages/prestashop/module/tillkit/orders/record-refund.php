<?php
/**
 * The refunds that an order shows: money that went back. A credit slip of the shop is a document, and says nothing about money. A refund that the
 * owner asked for is stored with our key before the call, and with the service's id after it; one that the checkout server reports has both.
 */

defined( '_PS_VERSION_' ) || exit;

/**
 * The caller holds the lock of the order.
 *
 * @param array $request From tillkit_read_order_fields().
 * @return array|Tillkit_Error The outcome: recorded, already, refused or gone.
 */
function tillkit_record_refund( array $request ) {
	$order = tillkit_order_of_call( $request );
	if ( null === $order ) {
		return tillkit_record_refund_outcome( 'gone', $request );
	}
	foreach ( tillkit_refunds( $order ) as $refund ) {
		if ( in_array( $refund['refund'], array( $request['refund'], $request['refund_key'] ), true ) ) {
			return tillkit_record_refund_outcome( 'already', $request );
		}
	}
	if ( tillkit_paid_by( $order ) !== $request['payment'] ) {
		return new Tillkit_Error( 'tillkit_payment_not_shown', tillkit_text( 'The order no longer shows this payment: read it again.' ), 409 );
	}
	tillkit_assert_lock( $order->id() );
	// A refund that the owner asked for, whose answer was lost.
	$is_known = 1 === tillkit_name_refund( $order, $request['refund_key'], $request['refund'] );
	// The money has gone back, also more than the total: the owner may have accepted a larger payment.
	if ( ! $is_known && $order->currency() !== $request['currency'] ) {
		return tillkit_record_refund_outcome( 'refused', $request );
	}
	if ( ! $is_known ) {
		tillkit_store_refund_row( $order, $request['refund_key'], $request['refund'], $request['amount'] );
	}
	/* translators: 1: an amount with its currency, 2: the id of a refund, 3: a reason */
	$text = tillkit_text( '%1$s refunded (%2$s). %3$s' );
	tillkit_store_note( (int) $order->id(), sprintf( $text, $request['amount'] . ' ' . $request['currency'], $request['refund'], $request['reason'] ), 'refund ' . $request['refund_key'] );
	return tillkit_record_refund_outcome( 'recorded', $request );
}

/** @return array<int,array{refund:string,refund_key:string,amount:string,at:int}> The oldest first. */
function tillkit_refunds( Tillkit_Order $order ): array {
	$rows = tillkit_select( 'SELECT `refund`, `refund_key`, `amount`, `at` FROM `' . _DB_PREFIX_ . 'tillkit_refund` WHERE `id_order` = ' . (int) $order->id() . ' ORDER BY `at`, `id_refund`' );
	return array_map(
		static function ( array $row ): array {
			return array( 'refund' => (string) $row['refund'], 'refund_key' => (string) $row['refund_key'], 'amount' => (string) $row['amount'], 'at' => (int) $row['at'] );
		},
		$rows
	);
}

/** Whether the order shows enough money that was not refunded. */
function tillkit_has_rest( Tillkit_Order $order ): bool {
	return round( (float) array_sum( array_column( tillkit_refunds( $order ), 'amount' ) ), 6 ) < round( (float) $order->total(), 6 );
}

/** A refund is stored once under its key. */
function tillkit_store_refund_row( Tillkit_Order $order, string $key, string $refund, string $amount ): void {
	$id = md5( $order->id() . " $key" );
	tillkit_change_rows( 'INSERT IGNORE INTO `' . _DB_PREFIX_ . "tillkit_refund` (`id_refund`, `id_order`, `refund`, `refund_key`, `amount`, `at`) VALUES ('$id', " . (int) $order->id() . ', ' . tillkit_sql( $refund ) . ', ' . tillkit_sql( $key ) . ', ' . tillkit_sql( $amount ) . ', ' . time() . ')' );
}

/** @return int 1 if a refund of that key had no name yet. */
function tillkit_name_refund( Tillkit_Order $order, string $key, string $refund ): int {
	return tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . 'tillkit_refund` SET `refund` = ' . tillkit_sql( $refund ) . " WHERE `refund` = '' AND `id_refund` = '" . md5( $order->id() . " $key" ) . "'" );
}

/** Repeats order and refund of the request, so that a cached answer is detected. */
function tillkit_record_refund_outcome( string $outcome, array $request ): array {
	return array(
		'outcome' => $outcome,
		'order'   => $request['order'],
		'refund'  => $request['refund'],
	);
}
