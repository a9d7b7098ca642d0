<?php
/** Whether money of an order waits for a decision of the owner. The checkout server knows it and writes it to the order. */

defined( 'ABSPATH' ) || exit;

/** Why money waits, with blanks between: held, closed, duplicate, refund_failed. Empty or missing if none waits. */
const TILLKIT_DECISION_META = '_tillkit_decision';

/** The reasons about which the owner got an e-mail. */
const TILLKIT_ANNOUNCED_META = '_tillkit_decision_announced';

/** @return string[] */
function tillkit_decision_reasons( WC_Order $order ): array {
	return tillkit_known_reasons( explode( ' ', (string) $order->get_meta( TILLKIT_DECISION_META ) ) );
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
		'held'          => __( 'A payment arrived that does not match the order. Accept it or refund it.', 'tillkit-checkout' ),
		'closed'        => __( 'The order was paid although it is cancelled or in the trash. Reopen it or refund the payment.', 'tillkit-checkout' ),
		'duplicate'     => __( 'The order was paid twice. Refund the second payment.', 'tillkit-checkout' ),
		'refund_failed' => __( 'A refund failed: the customer did not get the money. Refund it again.', 'tillkit-checkout' ),
	);
	return $texts[ $reason ];
}

/**
 * Null if a field is missing or invalid.
 *
 * @return array{order:string,key:string,reasons:string[]}|null
 */
function tillkit_read_decision_request( array $body ): ?array {
	$request = tillkit_read_hold_request( $body );
	$reasons = $body['reasons'] ?? null;
	if ( null === $request || ! is_array( $reasons ) || $reasons !== array_filter( $reasons, 'is_string' ) ) {
		return null;
	}
	return $request + array( 'reasons' => tillkit_known_reasons( $reasons ) );
}

/**
 * Answers `decision`. The caller holds the lock of the order.
 *
 * @param array $request From tillkit_read_decision_request().
 */
function tillkit_show_decision( array $request ): array {
	$order   = tillkit_fresh_order( (int) $request['order'] );
	$outcome = null === $order || ! hash_equals( (string) $order->get_order_key(), $request['key'] ) ? 'gone' : 'shown';
	if ( 'shown' === $outcome ) {
		tillkit_save_decision( $order, $request['reasons'] );
		tillkit_announce_decision( $order );
	}
	return array(
		'outcome' => $outcome,
		'order'   => $request['order'],
	);
}

/** @param string[] $reasons */
function tillkit_save_decision( WC_Order $order, array $reasons ): void {
	if ( array() === $reasons ) {
		$order->delete_meta_data( TILLKIT_DECISION_META );
	} else {
		$order->update_meta_data( TILLKIT_DECISION_META, implode( ' ', $reasons ) );
	}
	$order->save_meta_data();
	delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
}

/** Announces a decision that the checkout server wrote by WooCommerce's REST API, because it cannot reach the plugin's routes. */
function tillkit_notice_rest_decision( $order, $request ): void {
	$meta = tillkit_checkout_server_meta( $request['meta_data'] ?? null );
	if ( $order instanceof WC_Order && isset( $meta[ TILLKIT_DECISION_META ] ) ) {
		delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
		tillkit_announce_decision( $order );
	}
}

/** Sends the owner one e-mail for each new reason, however often it is reported. */
function tillkit_announce_decision( WC_Order $order ): void {
	$reasons   = tillkit_decision_reasons( $order );
	$announced = explode( ' ', (string) $order->get_meta( TILLKIT_ANNOUNCED_META ) );
	tillkit_remember_announced( $order, $reasons );
	if ( array() !== array_diff( $reasons, $announced ) ) {
		do_action( 'tillkit_order_needs_decision', $order->get_id() );
	}
}

/** @param string[] $reasons */
function tillkit_remember_announced( WC_Order $order, array $reasons ): void {
	$order->update_meta_data( TILLKIT_ANNOUNCED_META, implode( ' ', $reasons ) );
	$order->save_meta_data();
}

/** Updates the mark without an e-mail, because the owner looks at the order right now. */
function tillkit_follow_decision( WC_Order $order, array $answer ): void {
	if ( ! isset( $answer['reasons'] ) || ! is_array( $answer['reasons'] ) ) {
		return;
	}
	tillkit_follow_lost_payment( $order, tillkit_list_field( $answer, 'payments' ) );
	$reasons = tillkit_known_reasons( $answer['reasons'] );
	if ( $reasons !== tillkit_decision_reasons( $order ) ) {
		tillkit_save_decision( $order, $reasons );
		tillkit_remember_announced( $order, $reasons );
	}
}

/** Whether the payment that the order shows is still there: it may have been refunded, and a dispute may have been won after all. */
function tillkit_follow_lost_payment( WC_Order $order, array $payments ): void {
	$lost = '';
	foreach ( $payments as $payment ) {
		$is_shown = tillkit_text_field( $payment, 'payment' ) === tillkit_own_payment( $order );
		$has_left = '' !== tillkit_text_field( $payment, 'lost' ) || 'refunded' === tillkit_text_field( $payment, 'state' );
		$lost     = $is_shown && $has_left ? tillkit_text_field( $payment, 'payment' ) : $lost;
	}
	if ( (string) $order->get_meta( TILLKIT_LOST_PAYMENT_META ) !== $lost ) {
		$order->update_meta_data( TILLKIT_LOST_PAYMENT_META, $lost );
		$order->save_meta_data();
	}
}
