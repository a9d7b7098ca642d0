<?php
/** Carries the decisions of the owner to the checkout server, which refuses one if something else is true than the owner saw. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * The fields of `accept` and `refund`.
 *
 * @param array<string,string> $posted What the form of the decision sent.
 * @return array<string,string>|Tillkit_Error
 */
function tillkit_decision_fields( string $decision, array $posted, string $currency ) {
	$fields = tillkit_seen_fields( $decision, $posted );
	if ( 'accept' === $decision ) {
		return $fields;
	}
	$amount = tillkit_typed_amount( $posted['amount'] ?? '' );
	if ( $amount instanceof Tillkit_Error ) {
		return $amount;
	}
	return $fields + array(
		'amount'   => $amount,
		'currency' => '' === ( $posted['currency'] ?? '' ) ? $currency : $posted['currency'],
		'reason'   => $posted['reason'] ?? '',
	);
}

/** Which payment the owner decides about, what they saw of it, and who they are. */
function tillkit_seen_fields( string $decision, array $posted ): array {
	return array(
		'decision' => $decision,
		'payment'  => $posted['payment'] ?? '',
		'seen'     => $posted['seen'] ?? '',
		'by'       => tillkit_host()->actor(),
	);
}

/**
 * As people type it: with spaces between the thousands, also such that do not break the line, and with a decimal comma.
 *
 * @return string|Tillkit_Error
 */
function tillkit_typed_amount( string $typed ) {
	$amount = str_replace( array( ' ', "\u{a0}", "\u{202f}", ',' ), array( '', '', '', '.' ), $typed );
	if ( ! preg_match( TILLKIT_AMOUNT, $amount ) ) {
		return new Tillkit_Error( 'tillkit_refund', tillkit_text( 'Enter the amount to refund.' ) );
	}
	// 1,500 is fifteen hundred to some people and one and a half to others.
	return preg_match( '/\.[0-9]{3}\z/', $amount )
		? new Tillkit_Error( 'tillkit_refund', tillkit_text( 'Enter the amount without a separator of thousands: 1500 or 1500.50.' ) )
		: $amount;
}

/**
 * Accepts or refunds a payment. The shop's mark of the order follows the answer.
 *
 * @param array<string,string> $posted
 * @return array|Tillkit_Error
 */
function tillkit_decide( Tillkit_Order $order, string $decision, array $posted ) {
	$fields = tillkit_decision_fields( $decision, $posted, $order->currency() );
	return $fields instanceof Tillkit_Error ? $fields : tillkit_send_decision( $order, $fields );
}

/**
 * The owner has looked in the service's dashboard: the ledger of the checkout server learns the answer too. Only a refund of an order that it
 * does not know ends in the shop alone.
 *
 * @param array<string,string> $posted
 * @return array|Tillkit_Error
 */
function tillkit_decide_refund_outcome( Tillkit_Order $order, bool $was_made, array $posted ) {
	$fields = tillkit_seen_fields( 'refund-outcome', $posted );
	if ( '' === $fields['payment'] ) {
		tillkit_forget_refund( $order->id(), $was_made );
		return array();
	}
	$refund = array(
		'refund_key' => $posted['refund_key'] ?? '',
		'made'       => $was_made ? 'yes' : 'no',
	);
	$answer = tillkit_send_decision( $order, $fields + $refund );
	if ( ! $answer instanceof Tillkit_Error ) {
		tillkit_end_settled_refund( $order->id(), $refund['refund_key'], $was_made );
	}
	return $answer;
}

/** @return array|Tillkit_Error */
function tillkit_send_decision( Tillkit_Order $order, array $fields ) {
	$answer = tillkit_call_about_order( 'decide', $order, $fields );
	if ( ! $answer instanceof Tillkit_Error ) {
		tillkit_follow_decision( tillkit_host()->order( $order->id() ) ?? $order, $answer );
	}
	return $answer;
}
