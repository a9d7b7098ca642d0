<?php
/** "I have looked in the dashboard": the owner says how a refund ended whose result the payment service does not show. */

defined( 'ABSPATH' ) || exit;

/**
 * The question about a refund in doubt, with both answers; empty for any other refund.
 *
 * @param array $payments The payments of the same answer of the checkout server.
 */
function tillkit_refund_outcome_html( array $refund, array $payments ): string {
	$doubt = tillkit_text_field( $refund, 'doubt' );
	if ( '' === $doubt ) {
		return '';
	}
	$payment = tillkit_text_field( $refund, 'payment' );
	$seen    = '';
	foreach ( $payments as $row ) {
		$seen = tillkit_text_field( $row, 'payment' ) === $payment ? tillkit_text_field( $row, 'seen' ) : $seen;
	}
	$fields = array(
		'payment'    => $payment,
		'seen'       => $seen,
		'refund_key' => tillkit_text_field( $refund, 'refund_key' ),
	);
	return '<p>' . esc_html( $doubt ) . '</p>' . tillkit_refund_answers_html( $fields );
}

/** @param array<string,string> $fields What each answer sends along. */
function tillkit_refund_answers_html( array $fields ): string {
	$html = '<div data-tillkit-form><p>' . esc_html( tillkit_looked_text() ) . '</p>';
	foreach ( $fields as $name => $value ) {
		$html .= '<input type="hidden" data-tillkit-field="' . esc_attr( $name ) . '" value="' . esc_attr( $value ) . '" />';
	}
	foreach ( tillkit_refund_answers() as $purpose => $label ) {
		$html .= tillkit_decision_button_html( $purpose, $label, 'button' );
	}
	return $html . '</div>';
}

/** Both answers for a refund that the shop alone remembers. */
function tillkit_show_refund_answers(): void {
	echo '<div data-tillkit-form><p>' . esc_html( tillkit_looked_text() ) . '</p>';
	foreach ( tillkit_refund_answers() as $purpose => $label ) {
		echo '<p><button type="button" class="button" data-tillkit-purpose="' . esc_attr( $purpose ) . '">' . esc_html( $label ) . '</button></p>';
	}
	echo '</div>';
}

function tillkit_looked_text(): string {
	return __( 'I have looked in the payment service’s dashboard: this refund', 'tillkit-checkout' );
}

/** @return array<string,string> Purpose => label. */
function tillkit_refund_answers(): array {
	return array(
		'refund-made'     => __( 'was made', 'tillkit-checkout' ),
		'refund-not-made' => __( 'was not made', 'tillkit-checkout' ),
	);
}

/** What the order is told about the answer: who looked, and what they saw. */
function tillkit_note_refund_outcome( WC_Order $order, string $amount, bool $was_made ): void {
	/* translators: 1: an amount, 2: the role and id of a user */
	$made = __( 'The refund of %1$s was made, says %2$s, who has looked in the payment service’s dashboard. If this order does not show it, record it by hand.', 'tillkit-checkout' );
	/* translators: 1: an amount, 2: the role and id of a user */
	$not_made = __( 'The refund of %1$s was not made, says %2$s, who has looked in the payment service’s dashboard. It can be refunded again.', 'tillkit-checkout' );
	$order->add_order_note( esc_html( sprintf( $was_made ? $made : $not_made, $amount, tillkit_current_actor() ) ) );
}
