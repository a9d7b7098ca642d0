<?php
/** Whether money of an order waits for a decision of the owner. The checkout server knows it and writes it to the order. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @return string[] Why money waits: held, closed, duplicate, refund_failed. */
function tillkit_decision_reasons( Tillkit_Order $order ): array {
	return tillkit_known_reasons( explode( ' ', $order->fact( 'decision' ) ) );
}

/**
 * Reasons of a newer checkout server that this version does not know are left out.
 *
 * @param array $reasons
 * @return string[]
 */
function tillkit_known_reasons( array $reasons ): array {
	return array_values( array_intersect( array( 'closed', 'duplicate', 'held', 'refund_failed' ), $reasons ) );
}

/** One sentence for the owner. */
function tillkit_decision_text( string $reason ): string {
	$texts = array(
		'held'          => tillkit_text( 'A payment arrived that does not match the order. Accept it or refund it.' ),
		'closed'        => tillkit_text( 'The order was paid although it is cancelled or deleted. Reopen it or refund the payment.' ),
		'duplicate'     => tillkit_text( 'The order was paid twice. Refund the second payment.' ),
		'refund_failed' => tillkit_text( 'A refund failed: the customer did not get the money. Refund it again.' ),
	);
	return $texts[ $reason ];
}

/**
 * Answers `decision`. The caller holds the lock of the order.
 *
 * @param array{order:string,key:string,reasons:string[]} $fields
 */
function tillkit_show_decision( array $fields ): array {
	$order   = tillkit_order_of_call( $fields );
	$outcome = null === $order ? 'gone' : 'shown';
	if ( null !== $order ) {
		tillkit_save_decision( $order, $fields['reasons'] );
		tillkit_announce_decision( $order );
	}
	return array(
		'outcome' => $outcome,
		'order'   => $fields['order'],
	);
}

/** The order that a call names, if the call names its key too: a copy of the shop has orders of the same numbers. */
function tillkit_order_of_call( array $fields ): ?Tillkit_Order {
	$order = tillkit_host()->order( $fields['order'] );
	return null !== $order && hash_equals( $order->key(), $fields['key'] ) ? $order : null;
}

/** @param string[] $reasons */
function tillkit_save_decision( Tillkit_Order $order, array $reasons ): void {
	$order->write_facts( array( 'decision' => implode( ' ', $reasons ) ) );
}

/** Sends the owner one e-mail for each new reason, however often it is reported. */
function tillkit_announce_decision( Tillkit_Order $order ): void {
	$reasons   = tillkit_decision_reasons( $order );
	$announced = explode( ' ', $order->fact( 'decision_announced' ) );
	tillkit_remember_announced( $order, $reasons );
	if ( array() !== array_diff( $reasons, $announced ) ) {
		tillkit_host()->announce_decision( $order );
	}
}

/** @param string[] $reasons */
function tillkit_remember_announced( Tillkit_Order $order, array $reasons ): void {
	$order->write_facts( array( 'decision_announced' => implode( ' ', $reasons ) ) );
}

/** Updates the mark without an e-mail, because the owner looks at the order right now. */
function tillkit_follow_decision( Tillkit_Order $order, array $answer ): void {
	if ( ! isset( $answer['reasons'] ) || ! is_array( $answer['reasons'] ) ) {
		return;
	}
	tillkit_follow_lost_payment( $order, tillkit_list_field( $answer, 'payments' ) );
	$reasons = tillkit_known_reasons( $answer['reasons'] );
	if ( tillkit_decision_reasons( $order ) !== $reasons ) {
		tillkit_save_decision( $order, $reasons );
		tillkit_remember_announced( $order, $reasons );
	}
}

/** Whether the payment that the order shows is still there: it may have been refunded, and a dispute may have been won after all. */
function tillkit_follow_lost_payment( Tillkit_Order $order, array $payments ): void {
	$lost = '';
	foreach ( $payments as $payment ) {
		$is_shown = tillkit_text_field( $payment, 'payment' ) === tillkit_own_payment( $order );
		$has_left = '' !== tillkit_text_field( $payment, 'lost' ) || 'refunded' === tillkit_text_field( $payment, 'state' );
		$lost     = $is_shown && $has_left ? tillkit_text_field( $payment, 'payment' ) : $lost;
	}
	if ( $order->fact( 'lost_payment' ) !== $lost ) {
		$order->write_facts( array( 'lost_payment' => $lost ) );
	}
}

/** The id of our payment that paid this order, or ''. The copied payment of another order proves nothing. */
function tillkit_own_payment( Tillkit_Order $order ): string {
	return tillkit_has_copied_payment( $order ) ? '' : $order->fact( 'payment_id' );
}

/** Whether other code of the shop copied what an order stores of its payment, for instance to a renewal. */
function tillkit_has_copied_payment( Tillkit_Order $order ): bool {
	return ! in_array( $order->fact( 'payment_order' ), array( '', $order->id() ), true );
}
