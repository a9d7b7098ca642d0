<?php
/** Asks the checkout server to refund money of an order. However often it is asked under one key, the money is refunded once. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** With more refunds than this, the list of those that the order shows is left out. */
const TILLKIT_LISTED_REFUNDS = 200;

/** Statuses after which the refund has certainly not been made. */
const TILLKIT_FINAL_REFUND_STATUSES = array( 400, 409, 422 );

/** The checkout server has no payment of the order. It has not looked for an earlier call with the same key. */
const TILLKIT_ORDER_UNKNOWN = 'tillkit_order_not_known';

/**
 * One refund of an order at a time, because two tabs would create two keys.
 *
 * @param callable $prepare Receives the order as it is now. Returns null, or `amount`, `shown` and `name` for tillkit_send_refund().
 * @return true|Tillkit_Error
 */
function tillkit_refund_once( string $order_id, callable $prepare ) {
	$work   = static function () use ( $order_id, $prepare ) {
		$order  = tillkit_host()->order( $order_id );
		$refund = null === $order ? null : $prepare( $order );
		if ( null === $refund || ! preg_match( TILLKIT_AMOUNT, $refund['amount'] ) || (float) $refund['amount'] <= 0 ) {
			return new Tillkit_Error( 'tillkit_refund', tillkit_text( 'Enter the amount to refund.' ) );
		}
		return tillkit_send_refund( $order, $refund['amount'], $refund['shown'], $refund['name'] );
	};
	$result = tillkit_write_under_lock( tillkit_refund_lock( $order_id ), 0, $work );
	return $result ?? new Tillkit_Error( 'tillkit_refund', tillkit_text( 'Another refund of this order is in progress. Wait a moment and reload this page.' ) );
}

function tillkit_refund_lock( string $order_id ): string {
	return "{$order_id}_refund";
}

/**
 * @param array|null $shown What the order shows: its total and its other refunds. Null if they cannot be listed.
 * @param callable   $name  Stores a name of the refund in the shop: receives `refund_key` before the call and `refund_id` after it.
 * @return true|Tillkit_Error
 */
function tillkit_send_refund( Tillkit_Order $order, string $amount, ?array $shown, callable $name ) {
	$refund = tillkit_unconfirmed_refund( $order );
	if ( null !== $refund && ! tillkit_is_same_amount( $refund['amount'], $amount ) ) {
		/* translators: %s: an amount */
		$text = tillkit_text( 'An earlier refund of %s is not confirmed. Refund that amount again first: the money is not refunded twice.' );
		return new Tillkit_Error( 'tillkit_refund', sprintf( $text, tillkit_unconfirmed_amount( $order, $refund ) ) );
	}
	$is_first = null === $refund;
	tillkit_assert_lock( tillkit_refund_lock( $order->id() ) );
	$refund   = $refund ?? tillkit_start_refund( $order, $amount );
	$name( 'refund_key', $refund['key'] );
	$answer = tillkit_call_about_order( 'refund', $order, tillkit_refund_fields( $order, $refund, $shown ) );
	if ( ! $answer instanceof Tillkit_Error && ( $answer['refund_key'] ?? null ) !== $refund['key'] ) {
		$answer = tillkit_no_answer( 200 );
	}
	if ( $answer instanceof Tillkit_Error ) {
		return tillkit_explain_failed_refund( $order, $refund, $answer, $is_first );
	}
	if ( '' !== tillkit_text_field( $answer, 'refund' ) ) {
		$name( 'refund_id', $answer['refund'] );
	}
	tillkit_finish_refund( $order );
	tillkit_add_refund_note( $order, $answer );
	return true;
}

/** The payment id makes sure that only the payment of the order is refunded. */
function tillkit_refund_fields( Tillkit_Order $order, array $refund, ?array $shown ): array {
	$fields  = array(
		'refund_key' => $refund['key'],
		'amount'     => $refund['amount'],
		'currency'   => $order->currency(),
	);
	$payment = tillkit_own_payment( $order );
	return $fields + ( null === $shown ? array() : compact( 'shown' ) ) + ( '' === $payment ? array() : compact( 'payment' ) );
}

/** @param bool $is_first Whether no earlier call may have made the refund. */
function tillkit_explain_failed_refund( Tillkit_Order $order, array $refund, Tillkit_Error $answer, bool $is_first ): Tillkit_Error {
	$is_order_unknown = TILLKIT_ORDER_UNKNOWN === $answer->code;
	if ( ( $is_first && $is_order_unknown ) || in_array( $answer->status, TILLKIT_FINAL_REFUND_STATUSES, true ) ) {
		tillkit_finish_refund( $order );
		return new Tillkit_Error( 'tillkit_refund', $answer->message );
	}
	if ( $is_order_unknown ) {
		tillkit_leave_refund_to_owner( $order, $refund );
	}
	$advice = $is_order_unknown
		? tillkit_text( 'An earlier click may have refunded the money. Reload this page: the box “Tillkit payment” says what to do.' )
		: tillkit_text( 'The refund is not confirmed. Click refund again with the same amount: the money is not refunded twice.' );
	return new Tillkit_Error( 'tillkit_refund', $answer->message . ' ' . $advice );
}

function tillkit_add_refund_note( Tillkit_Order $order, array $answer ): void {
	/* translators: %s: an amount */
	$done = tillkit_text( 'Tillkit refunded %s.' );
	/* translators: %s: an amount */
	$pending = tillkit_text( 'Tillkit is refunding %s. Another note follows if the refund fails.' );
	$order->add_note( sprintf( 'completed' === ( $answer['state'] ?? '' ) ? $done : $pending, tillkit_amount_text( $answer ) ) );
}
