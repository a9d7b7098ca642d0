<?php
/**
 * A refund without a confirmed result. Its key is stored on the order, so that a retry never makes a second refund. The stored refund
 * names its order, because other plugins copy what an order stores to its child orders.
 */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @return array{key:string,amount:string,order:string,is_order_unknown:bool}|null */
function tillkit_unconfirmed_refund( Tillkit_Order $order ): ?array {
	$stored = json_decode( $order->fact( 'unconfirmed_refund' ), true );
	if ( ! is_array( $stored ) || ! is_string( $stored['key'] ?? null ) || ! is_string( $stored['amount'] ?? null ) || $order->id() !== ( $stored['order'] ?? null ) ) {
		return null;
	}
	return array(
		'key'              => $stored['key'],
		'amount'           => $stored['amount'],
		'order'            => $stored['order'],
		'is_order_unknown' => true === ( $stored['is_order_unknown'] ?? false ),
	);
}

function tillkit_unconfirmed_amount( Tillkit_Order $order, array $refund ): string {
	return tillkit_host()->price_text( $refund['amount'], $order->currency() );
}

/** Stores a new key before the refund is sent. */
function tillkit_start_refund( Tillkit_Order $order, string $amount ): array {
	$refund = array(
		'key'    => bin2hex( random_bytes( 16 ) ),
		'amount' => $amount,
		'order'  => $order->id(),
	);
	tillkit_store_refund( $order, $refund );
	return $refund;
}

/**
 * The checkout server does not know the order of this refund any more, so a click never gets its result. An earlier click may have
 * refunded the money: only a person can find out, in the dashboard of the service.
 */
function tillkit_leave_refund_to_owner( Tillkit_Order $order, array $refund ): void {
	tillkit_store_refund( $order, array( 'is_order_unknown' => true ) + $refund );
}

function tillkit_store_refund( Tillkit_Order $order, array $refund ): void {
	$order->write_facts( array( 'unconfirmed_refund' => tillkit_json( $refund ) ) );
}

function tillkit_finish_refund( Tillkit_Order $order ): void {
	$order->write_facts( array( 'unconfirmed_refund' => '' ) );
}

/** A refund that was made keeps its key: the next click on the same amount records it in the order and sends no money. */
function tillkit_end_settled_refund( string $order_id, string $key, bool $was_made ): void {
	$end = static function ( Tillkit_Order $order, array $refund ) use ( $key, $was_made ): void {
		if ( $refund['key'] === $key && ! $was_made ) {
			tillkit_finish_refund( $order );
		}
	};
	tillkit_change_unconfirmed_refund( $order_id, $end );
}

/** The checkout server does not know the order any more. Any other unconfirmed refund keeps its key: the next click gets its result. */
function tillkit_forget_refund( string $order_id, bool $was_made ): void {
	$forget = static function ( Tillkit_Order $order, array $refund ) use ( $was_made ): void {
		if ( $refund['is_order_unknown'] ) {
			tillkit_finish_refund( $order );
			tillkit_note_refund_outcome( $order, tillkit_unconfirmed_amount( $order, $refund ), $was_made );
		}
	};
	tillkit_change_unconfirmed_refund( $order_id, $forget );
}

/** @param callable $change Receives the order and its unconfirmed refund, under the lock of refunds. */
function tillkit_change_unconfirmed_refund( string $order_id, callable $change ): void {
	$work = static function () use ( $order_id, $change ): bool {
		$order  = tillkit_host()->order( $order_id );
		$refund = null === $order ? null : tillkit_unconfirmed_refund( $order );
		if ( null !== $refund ) {
			tillkit_assert_lock( tillkit_refund_lock( $order_id ) );
			$change( $order, $refund );
		}
		return true;
	};
	tillkit_write_under_lock( tillkit_refund_lock( $order_id ), 0, $work );
}

/** What the order is told about the answer: who looked, and what they saw. */
function tillkit_note_refund_outcome( Tillkit_Order $order, string $amount, bool $was_made ): void {
	/* translators: 1: an amount, 2: the role and id of a user */
	$made = tillkit_text( 'The refund of %1$s was made, says %2$s, who has looked in the payment service’s dashboard. If this order does not show it, record it by hand.' );
	/* translators: 1: an amount, 2: the role and id of a user */
	$not_made = tillkit_text( 'The refund of %1$s was not made, says %2$s, who has looked in the payment service’s dashboard. It can be refunded again.' );
	$order->add_note( sprintf( $was_made ? $made : $not_made, $amount, tillkit_host()->actor() ) );
}
