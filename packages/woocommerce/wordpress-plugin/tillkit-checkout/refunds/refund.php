<?php
/** The refund button of the order screen. */

defined( 'ABSPATH' ) || exit;

/** Statuses after which the refund has certainly not been made. */
const TILLKIT_FINAL_REFUND_STATUSES = array( 400, 409, 422 );

/** The checkout server has no payment of the order. It has not looked for an earlier call with the same key. */
const TILLKIT_ORDER_UNKNOWN = 'tillkit_order_not_known';

/**
 * WooCommerce keeps its refund record if this returns true and removes it after an error.
 *
 * @param string|float|null $amount From WooCommerce.
 * @return true|WP_Error
 */
function tillkit_refund( int $order_id, $amount ) {
	$work = static function () use ( $order_id, $amount ) {
		$order = tillkit_fresh_order( $order_id );
		$text  = null === $order ? '' : tillkit_exact_amount( $amount ?? '', (string) $order->get_currency() );
		if ( null === $order || ! preg_match( '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/', $text ) || (float) $text <= 0 ) {
			return new WP_Error( 'tillkit_refund', __( 'Enter the amount to refund.', 'tillkit-checkout' ) );
		}
		return tillkit_send_refund( $order, $text );
	};
	// One refund of an order at a time, because two tabs would create two keys.
	$result = tillkit_with_lock( $order_id . '_refund', 0, $work );
	return $result ?? new WP_Error( 'tillkit_refund', __( 'Another refund of this order is in progress. Wait a moment and reload this page.', 'tillkit-checkout' ) );
}

/** @return true|WP_Error */
function tillkit_send_refund( WC_Order $order, string $amount ) {
	$refund = tillkit_unconfirmed_refund( $order );
	if ( null !== $refund && $refund['amount'] !== $amount ) {
		/* translators: %s: an amount */
		$text = __( 'An earlier refund of %s is not confirmed. Refund that amount again first: the money is not refunded twice.', 'tillkit-checkout' );
		return new WP_Error( 'tillkit_refund', sprintf( $text, $refund['amount'] ) );
	}
	$is_first    = null === $refund;
	$refund      = $refund ?? tillkit_start_refund( $order, $amount );
	$body_fields = array(
		'order'      => (string) $order->get_id(),
		'key'        => (string) $order->get_order_key(),
		'refund_key' => $refund['key'],
		'amount'     => $amount,
		'currency'   => (string) $order->get_currency(),
		'language'   => tillkit_language(),
	);
	tillkit_name_refund( $order, '_tillkit_refund_key', $refund['key'] );
	$shown = tillkit_shown_refunds( $order );
	if ( null !== $shown ) {
		$body_fields['shown'] = $shown;
	}
	$payment = tillkit_own_payment( $order );
	// The payment id makes sure that only the payment of the order is refunded.
	$answer = tillkit_call_checkout_server( 'refund', '' === $payment ? $body_fields : $body_fields + array( 'payment' => $payment ) );
	if ( ! is_wp_error( $answer ) && ( $answer['refund_key'] ?? null ) !== $refund['key'] ) {
		$answer = tillkit_no_answer( 200 );
	}
	if ( ! is_wp_error( $answer ) ) {
		if ( is_string( $answer['refund'] ?? null ) && '' !== $answer['refund'] ) {
			tillkit_name_refund( $order, '_tillkit_refund_id', $answer['refund'] );
		}
		tillkit_finish_refund( $order );
		tillkit_add_refund_note( $order, $answer );
		return true;
	}
	$is_order_unknown = TILLKIT_ORDER_UNKNOWN === $answer->get_error_code();
	if ( ( $is_first && $is_order_unknown ) || in_array( $answer->get_error_data()['status'], TILLKIT_FINAL_REFUND_STATUSES, true ) ) {
		tillkit_finish_refund( $order );
		return new WP_Error( 'tillkit_refund', $answer->get_error_message() );
	}
	if ( $is_order_unknown ) {
		tillkit_leave_refund_to_owner( $order, $refund );
		$ask = __( 'An earlier click may have refunded the money. Reload this page: the box “Tillkit payment” says what to do.', 'tillkit-checkout' );
		return new WP_Error( 'tillkit_refund', $answer->get_error_message() . ' ' . $ask );
	}
	$again = __( 'The refund is not confirmed. Click refund again with the same amount: the money is not refunded twice.', 'tillkit-checkout' );
	return new WP_Error( 'tillkit_refund', $answer->get_error_message() . ' ' . $again );
}

function tillkit_add_refund_note( WC_Order $order, array $answer ): void {
	$amount = is_string( $answer['amount']['text'] ?? null ) ? $answer['amount']['text'] : '';
	/* translators: %s: an amount */
	$done = __( 'Tillkit refunded %s.', 'tillkit-checkout' );
	/* translators: %s: an amount */
	$pending = __( 'Tillkit is refunding %s. Another note follows if the refund fails.', 'tillkit-checkout' );
	$order->add_order_note( esc_html( sprintf( 'completed' === ( $answer['state'] ?? '' ) ? $done : $pending, $amount ) ) );
}
