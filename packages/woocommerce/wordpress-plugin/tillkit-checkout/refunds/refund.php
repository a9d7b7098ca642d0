<?php
/** Gives money back when the owner presses refund on the order screen. */

defined( 'ABSPATH' ) || exit;

/** The answers after which nothing is in doubt: done, or certainly not. */
const TILLKIT_REFUND_REFUSALS = array( 400, 409, 422 );

/**
 * WooCommerce keeps its own record of the refund when the answer is true, and drops it after an error.
 *
 * @param string|float|null $amount As WooCommerce gives it.
 * @return true|WP_Error
 */
function tillkit_refund( int $order_id, $amount ) {
	$work = static function () use ( $order_id, $amount ) {
		$order = tillkit_fresh_order( $order_id );
		$text  = (string) wc_format_decimal( $amount ?? '', wc_get_price_decimals() );
		if ( null === $order || ! preg_match( '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/', $text ) || (float) $text <= 0 ) {
			return new WP_Error( 'tillkit_refund', __( 'Enter the amount to give back.', 'tillkit-checkout' ) );
		}
		return tillkit_send_refund( $order, $text );
	};
	// One refund of an order at a time: two tabs would make two keys.
	$done = tillkit_locked( $order_id . '_refund', 0, $work );
	return $done ?? new WP_Error( 'tillkit_refund', __( 'A refund of this order is being made just now. Wait a moment and reload this page.', 'tillkit-checkout' ) );
}

/** @return true|WP_Error */
function tillkit_send_refund( WC_Order $order, string $amount ) {
	$doubt = tillkit_refund_doubt( $order );
	if ( null !== $doubt && $doubt['amount'] !== $amount ) {
		/* translators: %s: an amount */
		$text = __( 'The answer to an earlier refund of %s was lost. Refund that amount again first: it will not be given back twice.', 'tillkit-checkout' );
		return new WP_Error( 'tillkit_refund', sprintf( $text, $doubt['amount'] ) );
	}
	$doubt    = $doubt ?? tillkit_begin_refund( $order, $amount );
	$question = array(
		'order'      => (string) $order->get_id(),
		'key'        => (string) $order->get_order_key(),
		'refund_key' => $doubt['key'],
		'amount'     => $amount,
		'currency'   => (string) $order->get_currency(),
		'language'   => tillkit_language(),
	);
	$payment  = (string) $order->get_meta( '_tillkit_payment_id' );
	// The money of the payment that the order shows goes back, and no other's.
	$answer = tillkit_ask( 'refund', '' === $payment ? $question : $question + array( 'payment' => $payment ) );
	if ( ! is_wp_error( $answer ) && ( $answer['refund_key'] ?? null ) !== $doubt['key'] ) {
		$answer = tillkit_no_answer( 200 );
	}
	if ( ! is_wp_error( $answer ) ) {
		tillkit_end_refund( $order );
		tillkit_note_refund( $order, $answer );
		return true;
	}
	if ( in_array( $answer->get_error_data()['status'], TILLKIT_REFUND_REFUSALS, true ) ) {
		tillkit_end_refund( $order );
		return new WP_Error( 'tillkit_refund', $answer->get_error_message() );
	}
	$again = __( 'Nothing is recorded yet. Click refund again with the same amount: it will not be given back twice.', 'tillkit-checkout' );
	return new WP_Error( 'tillkit_refund', $answer->get_error_message() . ' ' . $again );
}

function tillkit_note_refund( WC_Order $order, array $answer ): void {
	$amount = is_string( $answer['amount']['text'] ?? null ) ? $answer['amount']['text'] : '';
	/* translators: %s: an amount */
	$done = __( 'Tillkit gave back %s.', 'tillkit-checkout' );
	/* translators: %s: an amount */
	$under_way = __( 'Tillkit is giving back %s; a note follows should it fail.', 'tillkit-checkout' );
	$order->add_order_note( esc_html( sprintf( 'completed' === ( $answer['state'] ?? '' ) ? $done : $under_way, $amount ) ) );
}
